#include "cases/ordinary.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "cases/element.h"
#include "cases/literal.h"
#include "impl/core/dtype_set.h"
#include "impl/ops/number_cast.h"

namespace upcast {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::array<double, 12> kUsual{0.5, 1, 2, 3, 0.1, 0, -0.5, -1, -2, -3, 10, 100};
constexpr std::array<double, 12> kUsualImaginary{0, 1, 0.5, 2, 3, 0.1, -0.5, -1, -2, -3, 10, 100};

const std::array<double, 12>& usual(Part part) {
  return part == Part::kReal ? kUsual : kUsualImaginary;
}

/// The element of a dtype that is nearest to a number. Empty if the dtype has no number near it.
Bytes near_element(DType dtype, double value) {
  const Bytes bytes = element_of(dtype, value);
  const double held = real_part(dtype, bytes.data());
  // "Near" means: within the rounding error of float8, 1/16.
  const double most = is_floating(dtype) ? std::abs(value) / 16 : 0;
  if (!(std::abs(held - value) <= most)) return {};
  return bytes;
}

bool is_element(DType dtype, const Bytes& bytes, const std::byte* element) {
  return !bytes.empty() && std::equal(bytes.begin(), bytes.end(), element) &&
         bytes.size() == static_cast<std::size_t>(itemsize(dtype));
}

/// How many significant decimal digits the shortest text of a number has.
int digits_of(const std::string& text) {
  int digits = 0, zeros = 0;
  for (const char c : text) {
    if (c == 'e' || c == 'E') break;
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 || (c == '0' && digits == 0)) continue;
    zeros = c == '0' ? zeros + 1 : 0;
    ++digits;
  }
  return digits - zeros;
}

double decades_of(double value) { return std::abs(std::log10(std::abs(value))); }

bool is_limit(DType dtype, const std::byte* element) {
  if (!is_integral(dtype)) return false;
  const std::vector<Bytes> limits = limits_of(dtype);
  return std::any_of(limits.begin(), limits.end(),
                     [&](const Bytes& limit) { return is_element(dtype, limit, element); });
}

/// Numbers with one digit, each closer to 1 than `value`. The first is nearest to 1: half of the
/// decades away. The last is one decade closer than `value`.
std::vector<double> towards_one(double value) {
  const double decades = std::floor(decades_of(value));
  if (decades < 1) return {};
  std::vector<double> found;
  for (const double left : {decades / 2, decades * 3 / 4, decades * 9 / 10, decades - 1}) {
    // A step of one decade from far away would make chains of steps long.
    if (left == decades - 1 && decades > 50) continue;
    const double magnitude =
        std::pow(10.0, std::abs(value) < 1 ? -std::floor(left) : std::floor(left));
    found.push_back(std::copysign(with_significant_digits(magnitude, 1), value));
  }
  return found;
}

std::vector<double> simpler_numbers(DType dtype, double value) {
  std::vector<double> found = towards_one(value);
  for (const int digits : {1, 2, 3}) found.push_back(with_significant_digits(value, digits));
  if (is_integral(dtype))
    for (const double smaller : {std::trunc(std::sqrt(std::abs(value))), std::trunc(value / 2)})
      found.push_back(smaller);
  return found;
}

Oddity::Kind kind_of_number(double value, int digits) {
  const bool is_moderate = std::abs(value) >= 1e-3 && std::abs(value) < 1e5;
  if (digits <= 2) return is_moderate ? Oddity::Kind::kShort : Oddity::Kind::kRound;
  return is_moderate && digits <= 4 ? Oddity::Kind::kModerate : Oddity::Kind::kOther;
}

int rank_of_kind(const Number& number) {
  constexpr std::array kKinds{DType::kInt64, DType::kFloat64, DType::kBool, DType::kComplex128};
  return static_cast<int>(std::find(kKinds.begin(), kKinds.end(), number.dtype()) - kKinds.begin());
}

}  // namespace

double with_significant_digits(double value, int digits) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
  return std::strtod(text.data(), nullptr);
}

const std::vector<DType>& from_the_most_common() {
  using enum DType;
  static const std::vector<DType> order = [] {
    std::vector<DType> dtypes{kFloat32, kFloat64, kBFloat16, kFloat16, kInt64,     kInt32,
                              kBool,    kUInt8,   kInt8,     kInt16,   kComplex64, kComplex128};
    for (const DType dtype : kElementwise.dtypes())
      if (std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end()) dtypes.push_back(dtype);
    return dtypes;
  }();
  return order;
}

int rarity(DType dtype) {
  const std::vector<DType>& order = from_the_most_common();
  return static_cast<int>(std::find(order.begin(), order.end(), dtype) - order.begin());
}

std::vector<Bytes> limits_of(DType dtype) {
  if (!is_integral(dtype) && !is_floating(dtype)) return {};
  if (is_floating(dtype))
    return {element_of(dtype, -largest_finite(dtype)), element_of(dtype, largest_finite(dtype))};
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  std::vector<Bytes> limits(2, Bytes(size));
  std::fill(limits[1].begin(), limits[1].end(), std::byte{0xff});
  if (has_sign(dtype)) limits[0].back() = std::byte{0x80}, limits[1].back() = std::byte{0x7f};
  return limits;
}

Oddity oddity(DType real, const std::byte* element, Part part) {
  const std::array<double, 12>& list = usual(part);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (is_element(real, near_element(real, list[i]), element))
      return {Oddity::Kind::kUsual, static_cast<int>(i), 0};
  const double value = real_part(real, element);
  if (!std::isfinite(value) || value == 0 || is_limit(real, element))
    return {Oddity::Kind::kSpecial, 0, 0};
  const int digits = digits_of(print_element(real, element));
  return {kind_of_number(value, digits), digits, decades_of(value)};
}

std::vector<Bytes> more_ordinary(DType real, const std::byte* element, Part part) {
  const Oddity own = oddity(real, element, part);
  std::vector<std::pair<Oddity, Bytes>> found;
  const auto offer = [&](Bytes bytes) {
    if (bytes.empty()) return;
    const Oddity other = oddity(real, bytes.data(), part);
    const bool is_there = std::any_of(found.begin(), found.end(),
                                      [&](const auto& each) { return each.second == bytes; });
    if (other < own && !is_there) found.emplace_back(other, std::move(bytes));
  };
  for (const double value : usual(part)) offer(near_element(real, value));
  const double value = real_part(real, element);
  if (std::isfinite(value) && value != 0) {
    for (const double simpler : simpler_numbers(real, value)) offer(near_element(real, simpler));
    if (is_integral(real))
      for (Bytes& limit : limits_of(real)) offer(std::move(limit));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Bytes> elements;
  for (auto& [odd, bytes] : found) elements.push_back(std::move(bytes));
  return elements;
}

std::vector<Number> more_ordinary(const Number& number) {
  const DType dtype = number.dtype();
  std::vector<Number> found;
  const auto collect = [&](auto value) {
    for (const Bytes& bytes : more_ordinary(dtype, reinterpret_cast<const std::byte*>(&value))) {
      std::memcpy(&value, bytes.data(), sizeof value);
      found.emplace_back(value);
    }
  };
  number.visit([&](auto value) {
    if constexpr (kIsComplex<decltype(value)>) {
      if (!(number == Number(Complex<double>{1, 1}))) found.emplace_back(Complex<double>{1, 1});
    } else {
      collect(value);
    }
  });
  return found;
}

std::vector<Number> of_commoner_kinds(const Number& number) {
  std::vector<Number> found;
  for (const Number& common : {Number(1), Number(0.5), Number(true)})
    if (rank_of_kind(common) < rank_of_kind(number)) found.push_back(common);
  return found;
}

}  // namespace upcast
