// impl:cuda, for programs that hold the CUDA kernels.
#pragma once

namespace upcast {

/// Adds "impl:cuda": our kernels on device 0. Making one throws UsageError where there is none.
void register_cuda_subject();

}  // namespace upcast
