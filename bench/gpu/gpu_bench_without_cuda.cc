#include "bench/gpu/gpu_bench.h"
#include "impl/core/error.h"

namespace upcast::bench {

Report gpu_report(std::string_view) {
  throw UsageError(
      "bench gpu: this build has no CUDA kernels; run ci/setup.sh and configure again, or ask for "
      "a prediction (--predict H200)");
}

}  // namespace upcast::bench
