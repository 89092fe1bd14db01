#pragma once

namespace upcast {

/// Makes "libtorch:cpu" and "libtorch:meta" known to make_subject(). Called once, by main().
void register_libtorch_subjects();

}  // namespace upcast
