// PyTorch's dtype promotion: constexpr, header-only, no dependency but the C++20 standard library.
//
//   promote_types(a, b)                    two dtypes
//   result_type({dtype, kind}, ..., defaults)   operands with priorities
//   can_cast(from, to)
//   compute_types(kind, query)             common and result dtype of a call
//   yields(operands, at)                   whether an operand leaves the dtype to others
#pragma once

#include "impl/promotion/can_cast.h"         // IWYU pragma: export
#include "impl/promotion/promote_types.h"    // IWYU pragma: export
#include "impl/promotion/promotion_kind.h"   // IWYU pragma: export
#include "impl/promotion/promotion_trace.h"  // IWYU pragma: export
#include "impl/promotion/result_type.h"      // IWYU pragma: export
#include "impl/promotion/yields.h"           // IWYU pragma: export
