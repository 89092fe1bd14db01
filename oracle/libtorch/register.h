#pragma once

namespace upcast {

/// Makes "libtorch:cpu", "libtorch:meta" and "libtorch:cuda" known to make_subject(). Called once,
/// by main().
void register_libtorch_subjects();

}  // namespace upcast
