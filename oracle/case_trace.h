// The steps of a case in our own implementation, as its call trace notes them.
#pragma once

#include "impl/core/dtype_set.h"
#include "impl/ops/call_trace.h"
#include "oracle/answer.h"
#include "oracle/case_call.h"

namespace upcast {

struct TracedAnswer {
  CallTrace trace;
  Answer answer;
  // The answer of the call planned for a GPU; only for a case on CUDA.
  std::optional<Answer> on_gpu{};
};

/// Runs the case on the CPU. A case on CUDA, which impl:cpu does not judge, is planned for a GPU;
/// its loops run on the host.
TracedAnswer trace_case(const Case& c);

/// Traces promotion alone. It makes no storage for tensors, and so is cheap enough for each input
/// of a fuzzer.
PromotionTrace trace_promotion(const Case& c);

/// The common dtypes of the ops that our own composition of a case calls, empty where it refuses.
/// A number that a step takes alone is of the default dtype: exp(2.5) in poisson_nll_loss is
/// rounded to float32, whatever the dtype of the result.
DTypeSet composition_dtypes(const Case& c);

}  // namespace upcast
