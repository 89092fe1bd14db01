#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"
#include "impl/core/packed_float.h"
#include "impl/ops/number_cast.h"

namespace upcast {
namespace {

/// A list of elements of one dtype, without duplicates, in order of insertion.
class ElementList {
 public:
  explicit ElementList(DType dtype) : dtype_(dtype), bytes_(itemsize(dtype)) {}

  void add(const std::byte* element) {
    for (std::size_t at = 0; at < elements_.size(); at += bytes_)
      if (std::memcmp(elements_.data() + at, element, bytes_) == 0) return;
    elements_.insert(elements_.end(), element, element + bytes_);
  }
  void add_cast(DType from, const void* value) {
    std::byte element[16];
    cast_elements(from, static_cast<const std::byte*>(value), dtype_, element, 1);
    add(element);
  }
  std::vector<std::byte> take() { return std::move(elements_); }

 private:
  DType dtype_;
  std::size_t bytes_;
  std::vector<std::byte> elements_;
};

/// The boundary values of a floating dtype.
struct FloatLimits {
  double largest, smallest_normal, smallest_subnormal, epsilon;
};

template <class T>
FloatLimits limits_of() {
  using Limits = std::numeric_limits<T>;
  return {Limits::max(), Limits::min(), Limits::denorm_min(), Limits::epsilon()};
}

FloatLimits limits_of(const FloatFormat& format, DType dtype) {
  return {largest_finite(dtype), std::ldexp(1.0, 1 - format.bias),
          std::ldexp(1.0, 1 - format.bias - format.mantissa_bits),
          std::ldexp(1.0, -format.mantissa_bits)};
}

FloatLimits limits_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return limits_of(kHalfFormat, dtype);
    case DType::kBFloat16:
      return limits_of(kBFloat16Format, dtype);
    case DType::kFloat32:
      return limits_of<float>();
    default:
      return limits_of<double>();
  }
}

/// The numbers 2^k - 1, 2^k and 2^k + 1 at the limits of the integral dtypes, and at the largest
/// whole numbers up to which floating dtypes are exact.
std::vector<std::uint64_t> whole_boundaries() {
  std::vector<std::uint64_t> values{0, 1, 2, 3, 10, 100};
  for (int bits : {7, 8, 11, 15, 16, 24, 31, 32, 53, 63}) {
    const std::uint64_t power = std::uint64_t{1} << bits;
    values.insert(values.end(), {power - 1, power, power + 1});
  }
  values.push_back(std::numeric_limits<std::uint64_t>::max() - 1);
  values.push_back(std::numeric_limits<std::uint64_t>::max());
  return values;
}

std::vector<std::byte> special_integers(DType dtype) {
  ElementList list(dtype);
  for (std::uint64_t magnitude : whole_boundaries()) {
    if (dtype == DType::kUInt64) {
      list.add_cast(dtype, &magnitude);
      continue;
    }
    for (bool negative : {false, true}) {
      if (magnitude > (std::uint64_t{1} << 63) - (negative ? 0 : 1)) continue;
      const auto value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
      std::byte element[16];
      std::int64_t back = 0;
      cast_elements(DType::kInt64, reinterpret_cast<const std::byte*>(&value), dtype, element, 1);
      cast_elements(dtype, element, DType::kInt64, reinterpret_cast<std::byte*>(&back), 1);
      if (back == value) list.add(element);
    }
  }
  return list.take();
}

/// For complex dtypes: how many of the first special numbers are paired with each other as real and
/// imaginary part.
constexpr std::size_t kCore = 6;

std::vector<double> special_reals(DType dtype) {
  const FloatLimits limits = limits_of(dtype);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<double> values{0, 1, limits.smallest_subnormal, limits.largest, kInfinity, 1.0 / 3};
  values.insert(
      values.end(),
      {limits.smallest_normal - limits.smallest_subnormal, limits.smallest_normal,
       limits.smallest_normal + limits.smallest_subnormal, limits.epsilon, 1 - limits.epsilon / 2,
       1 + limits.epsilon, limits.largest / 2, limits.largest - limits.largest / 2 * limits.epsilon,
       std::sqrt(limits.largest), 0.5, 0.75, 1.5, 2.5, 3.141592653589793, 0.1, 88.75, 709.75});
  for (std::uint64_t whole : whole_boundaries()) values.push_back(static_cast<double>(whole));
  for (int code = 0; code < kDTypeCount; ++code)
    if ((kFloats | kFloat8s).contains(dtype_from_code(code)))
      values.push_back(largest_finite(dtype_from_code(code)));
  return values;
}

std::vector<std::byte> special_floats(DType dtype) {
  ElementList list(dtype);
  for (double value : special_reals(dtype)) {
    for (double either : {value, -value}) list.add_cast(DType::kFloat64, &either);
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  list.add_cast(DType::kFloat64, &nan);
  return list.take();
}

std::vector<std::byte> special_complexes(DType dtype) {
  ElementList list(dtype);
  const std::vector<double> reals = special_reals(to_real(dtype));
  std::vector<double> core{std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; i < kCore; ++i) core.insert(core.end(), {reals[i], -reals[i]});
  const auto add = [&list](double re, double im) {
    const Complex<double> value{re, im};
    list.add_cast(DType::kComplex128, &value);
  };
  for (double re : core)
    for (double im : core) add(re, im);
  for (double value : reals) {
    add(value, 1);
    add(-1, value);
  }
  return list.take();
}

std::vector<std::byte> make_special_elements(DType dtype) {
  if (is_bool(dtype)) return {std::byte{0}, std::byte{1}};
  if (is_integral(dtype) && itemsize(dtype) > 1) return special_integers(dtype);
  if (is_complex(dtype)) return special_complexes(dtype);
  if (is_floating(dtype) && itemsize(dtype) > 1) return special_floats(dtype);
  std::vector<std::byte> codes;
  for (int code = 0; code < 256; ++code)
    for (int k = 0; k < itemsize(dtype); ++k) codes.push_back(std::byte(code));
  return codes;
}

}  // namespace

const std::vector<std::byte>& special_elements(DType dtype) {
  static const auto table = [] {
    std::array<std::vector<std::byte>, kDTypeCount> made;
    for (int code = 0; code < kDTypeCount; ++code)
      made[code] = make_special_elements(dtype_from_code(code));
    return made;
  }();
  return table[code(dtype)];
}

}  // namespace upcast
