// PyTorch's dtype promotion. It is constexpr and header-only, and needs only the C++20 standard
// library.
//
//   promote_types(a, b)                    the dtype of a pair of dtypes
//   result_type({dtype, kind}, ..., defaults)   the dtype of operands, by their priorities
//   can_cast(from, to)                     whether a result may be written to an output
//   compute_types(kind, query)             the common and the result dtype of a call
//   yields(operands, at)                   whether an operand leaves the dtype to others
#pragma once

#include "impl/promotion/can_cast.h"         // IWYU pragma: export
#include "impl/promotion/promote_types.h"    // IWYU pragma: export
#include "impl/promotion/promotion_kind.h"   // IWYU pragma: export
#include "impl/promotion/promotion_trace.h"  // IWYU pragma: export
#include "impl/promotion/result_type.h"      // IWYU pragma: export
#include "impl/promotion/yields.h"           // IWYU pragma: export
