// The dtypes of a functor's result, as it is computed and as it is rounded.
#pragma once

#include "impl/ops/call.h"

namespace upcast {

/// The dtype in which a functor computes its result, and the dtype to which it is then rounded,
/// which follows from the common dtype.
struct ResultDTypes {
  DType computed, rounded;
};

constexpr ResultDTypes result_dtypes(FunctorResult result, DType common, int output) {
  if (output == 1) return {DType::kInt32, DType::kInt32};
  switch (result) {
    case FunctorResult::kBool:
      return {DType::kBool, DType::kBool};
    case FunctorResult::kReal:
      return {to_real(compute_dtype(common)), to_real(common)};
    case FunctorResult::kSame:
    case FunctorResult::kWithExponent:
      break;
  }
  return {compute_dtype(common), common};
}

}  // namespace upcast
