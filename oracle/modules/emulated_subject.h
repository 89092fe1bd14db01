// impl:emulated, for its module, and for programs that hold its kernels themselves.
#pragma once

#include <memory>

#include "oracle/subject.h"

namespace upcast {

/// Makes "impl:emulated": the GPU's kernels over a grid on the host, for tensors on the CPU; or
/// "impl:emulated?device=cuda": for tensors on CUDA, with the rules of a GPU.
std::unique_ptr<Subject> make_emulated_subject(const Side& side);

/// Adds "impl:emulated".
void register_emulated_subject();

}  // namespace upcast
