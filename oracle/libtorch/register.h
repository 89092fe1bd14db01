#pragma once

namespace upcast {

/// Makes "libtorch:cpu", "libtorch:meta" and "libtorch:cuda" known to make_subject(). main() must
/// call it once.
void register_libtorch_subjects();

}  // namespace upcast
