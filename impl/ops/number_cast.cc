#include "impl/ops/number_cast.h"

namespace upcast {

double largest_finite(DType dtype) {
  double largest = std::numeric_limits<double>::infinity();
  for_each_element(AllElements{}, [&](auto row) {
    using T = RealOf<typename decltype(row)::type>;
    if (row.dtype != dtype) return;
    if constexpr (std::is_same_v<T, Float8E8M0FNU>)
      largest = static_cast<float>(Float8E8M0FNU::from_bits(0xfe));
    else if constexpr (std::is_same_v<T, Half>)
      largest = decode_float<kHalfFormat>(kHalfFormat.max_code);
    else if constexpr (std::is_same_v<T, BFloat16>)
      largest = decode_float<kBFloat16Format>(kBFloat16Format.max_code);
    else if constexpr (std::is_same_v<T, Float8E5M2>)
      largest = decode_float<kE5M2Format>(kE5M2Format.max_code);
    else if constexpr (std::is_same_v<T, Float8E4M3FN>)
      largest = decode_float<kE4M3FNFormat>(kE4M3FNFormat.max_code);
    else if constexpr (std::is_same_v<T, Float8E5M2FNUZ>)
      largest = decode_float<kE5M2FNUZFormat>(kE5M2FNUZFormat.max_code);
    else if constexpr (std::is_same_v<T, Float8E4M3FNUZ>)
      largest = decode_float<kE4M3FNUZFormat>(kE4M3FNUZFormat.max_code);
    else if constexpr (std::is_floating_point_v<T>)
      largest = std::numeric_limits<T>::max();
  });
  return largest;
}

bool number_fits(const Number& number, DType dtype) {
  const bool both_parts = is_complex(dtype) && is_complex(number.dtype());
  if (both_parts && !number_fits(Number(number_to<Complex<double>>(number).im), dtype))
    return false;
  bool fits = false;
  const double largest = largest_finite(dtype);
  for_each_element(ComputeElements{}, [&](auto row) {
    if (row.dtype == compute_dtype(dtype))
      fits = number_fits<typename decltype(row)::type>(number, largest);
  });
  return fits;
}

}  // namespace upcast
