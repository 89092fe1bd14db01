// Conversions between our dtypes and numbers and those of c10. Includes LibTorch: for the source
// files of this folder only.
#pragma once

#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <vector>

#include "impl/core/dtype.h"
#include "impl/core/number.h"

namespace upcast::libtorch {

/// How many dtypes this LibTorch has. A dtype has the same code in LibTorch and in our table. An
/// older LibTorch lacks our last dtypes, and uses one of their codes for Undefined.
inline constexpr int kDTypesOfLibTorch = static_cast<int>(c10::ScalarType::Undefined);

constexpr bool has_dtype(DType dtype) {
  return dtype == DType::kUndefined || code(dtype) < kDTypesOfLibTorch;
}

/// Every dtype that both upcast and LibTorch have.
inline std::vector<DType> dtypes() {
  std::vector<DType> all;
  for (int i = 0; i < kDTypeCount; ++i)
    if (has_dtype(dtype_from_code(i))) all.push_back(dtype_from_code(i));
  return all;
}

constexpr c10::ScalarType to_c10(DType dtype) {
  return dtype == DType::kUndefined ? c10::ScalarType::Undefined
                                    : static_cast<c10::ScalarType>(code(dtype));
}

constexpr DType from_c10(c10::ScalarType type) {
  return type == c10::ScalarType::Undefined ? DType::kUndefined
                                            : dtype_from_code(static_cast<int>(type));
}

inline c10::Scalar to_scalar(const Number& number) {
  return number.visit([](auto value) -> c10::Scalar {
    if constexpr (kIsComplex<decltype(value)>)
      return c10::complex<double>(value.re, value.im);
    else
      return value;
  });
}

}  // namespace upcast::libtorch
