// The subject impl:emulated, for its module, and for programs that are linked with the emulated
// kernels.
#pragma once

#include <memory>

#include "oracle/subject.h"

namespace upcast {

/// Makes "impl:emulated", which runs the GPU's kernels on the host, for tensors on the CPU.
/// "impl:emulated?device=cuda" takes tensors on CUDA, by a GPU's rules.
std::unique_ptr<Subject> make_emulated_subject(const Side& side);

/// Adds "impl:emulated".
void register_emulated_subject();

}  // namespace upcast
