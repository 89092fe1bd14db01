#include "impl/ops/number_cast.h"

namespace upcast {

double largest_finite(DType dtype) {
  double largest = std::numeric_limits<double>::infinity();
  for_each_element(AllElements{}, [&](auto row) {
    using T = RealOf<typename decltype(row)::type>;
    if (row.dtype != dtype) return;
    if constexpr (kIsPacked<T>)
      largest = static_cast<float>(T::from_bits(T::kFormat.max_code));
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
