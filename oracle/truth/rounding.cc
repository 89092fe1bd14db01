#include "oracle/truth/rounding.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

/// Casts a value with no more digits than `dtype` holds. So the cast does not round; it only treats
/// values beyond the range.
double through_cast(DType dtype, double value) {
  std::byte element[8];
  double back = 0;
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), dtype, element, 1);
  cast_elements(dtype, element, DType::kFloat64, reinterpret_cast<std::byte*>(&back), 1);
  return back;
}

double round_to_odd(const arf_t exact) {
  const double toward_zero = arf_get_d(exact, ARF_RND_DOWN);
  Arf rounded;
  arf_set_d(rounded.get(), toward_zero);
  if (arf_equal(rounded.get(), exact) != 0) return toward_zero;
  const double magnitude =
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(std::abs(toward_zero)) | 1);
  return arf_sgn(exact) < 0 ? -magnitude : magnitude;
}

}  // namespace

SafeRounding::SafeRounding(DType dtype) {
  if (dtype != DType::kFloat16 && dtype != DType::kBFloat16) return;
  largest_ = largest_finite(dtype);
  relative_place_ = std::ilogb(ulp_of(dtype, 1));
  least_place_ = std::ilogb(ulp_of(dtype, 0));
}

const SafeRounding& safe_rounding(DType dtype) {
  static const SafeRounding kFloat16(DType::kFloat16), kBFloat16(DType::kBFloat16),
      kOther(DType::kFloat64);
  return dtype == DType::kFloat16 ? kFloat16 : dtype == DType::kBFloat16 ? kBFloat16 : kOther;
}

double round_once(DType dtype, double value) {
  if (dtype == DType::kFloat64 || !is_floating(dtype)) return value;
  if (dtype == DType::kFloat32) return static_cast<float>(value);
  if (const std::optional<double> rounded = safe_rounding(dtype)(value, 0)) return *rounded;
  return round_with_cast(dtype, value);
}

double round_with_cast(DType dtype, double value) {
  if (!std::isfinite(value)) return through_cast(dtype, value);
  const double ulp = ulp_of(dtype, value);
  return through_cast(dtype, std::copysign(std::nearbyint(value / ulp) * ulp, value));
}

double round_once(DType dtype, const arf_t exact) {
  if (dtype == DType::kFloat64) return arf_get_d(exact, ARF_RND_NEAR);
  return round_once(dtype, round_to_odd(exact));
}

}  // namespace upcast::truth
