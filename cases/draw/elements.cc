#include "cases/draw/elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "cases/element.h"
#include "cases/values.h"

namespace upcast {
namespace {

using Element = std::vector<std::byte>;

/// Draws an element of a dtype: a real one, or both parts of a complex one.
template <class DrawReal>
Element draw_parts(DType dtype, DrawReal draw_real) {
  if (!is_complex(dtype)) return draw_real(dtype);
  Element both = draw_real(to_real(dtype));
  const Element imaginary = draw_real(to_real(dtype));
  both.insert(both.end(), imaginary.begin(), imaginary.end());
  return both;
}

Element special_at(DType dtype, std::size_t index) {
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  const auto at = special_elements(dtype).begin() + static_cast<std::ptrdiff_t>(index * size);
  return {at, at + static_cast<std::ptrdiff_t>(size)};
}

std::size_t special_count(DType dtype) {
  return special_elements(dtype).size() / static_cast<std::size_t>(itemsize(dtype));
}

Element draw_special(Choices& choices, DType dtype) {
  return special_at(dtype, choices.below(special_count(dtype)));
}

/// Draws one of the first or of the last special elements of a real dtype. The first ones are
/// zeros, ones, a subnormal, the ends of a floating range, infinities. The last ones are the ends
/// of an integral range, NaN.
Element draw_extreme(Choices& choices, DType dtype) {
  constexpr std::size_t kFirst = 10, kLast = 3;
  return special_at(dtype, choices.chance(80) ? choices.below(kFirst)
                                              : special_count(dtype) - 1 - choices.below(kLast));
}

template <class T>
T special_number(Choices& choices, DType dtype) {
  T value;
  std::memcpy(&value, draw_special(choices, dtype).data(), sizeof value);
  return value;
}

/// Changes an element a little: the next code, another bit, or the other sign.
void disturb(Choices& choices, Element& element) {
  switch (choices.below(3)) {
    case 0:
      element.front() = static_cast<std::byte>(static_cast<int>(element.front()) + 1);
      break;
    case 1:
      element[choices.below(element.size())] ^= std::byte(1 << choices.below(8));
      break;
    default:
      element.back() ^= std::byte{0x80};
  }
}

/// Draws any finite number of float64; all magnitudes are equally frequent.
double draw_real(Choices& choices) {
  const double fraction = static_cast<double>(choices.bits() >> 11) * 0x1p-53 + 0.5;
  const double value = std::ldexp(fraction, choices.between(-20, 20));
  return choices.chance(50) ? value : -value;
}

Element draw_element(Choices& choices, DType dtype, const ElementWish& wish) {
  if (is_bool(dtype)) return {std::byte{choices.chance(50)}};
  int what = choices.below(100);
  if ((what -= wish.extreme) < 0)
    return draw_parts(dtype, [&](DType real) { return draw_extreme(choices, real); });
  if ((what -= wish.special) < 0) {
    Element element = draw_special(choices, dtype);
    if (choices.chance(wish.disturbed)) disturb(choices, element);
    return element;
  }
  if ((what -= wish.small) < 0)
    return draw_parts(dtype, [&](DType real) {
      return element_of(real, static_cast<double>(choices.between(-4, 4)));
    });
  if ((what -= wish.real) < 0 && !is_integral(dtype))
    return draw_parts(dtype, [&](DType real) { return element_of(real, draw_real(choices)); });
  const std::array<std::uint64_t, 2> bits{choices.bits(), choices.bits()};
  const auto* begin = reinterpret_cast<const std::byte*>(bits.data());
  return {begin, begin + itemsize(dtype)};
}

std::int64_t draw_whole(Choices& choices) {
  if (choices.chance(50)) return choices.between(-4, 4);
  return choices.chance(50) ? special_number<std::int64_t>(choices, DType::kInt64)
                            : static_cast<std::int64_t>(choices.bits());
}

double draw_floating(Choices& choices) {
  if (choices.chance(30)) return choices.from({0.5, 2.5, -1.5, 0.1, 3.0, -0.0});
  return special_number<double>(choices, DType::kFloat64);
}

/// Makes `count` elements. Draws the first ones, as many as `wish` lets be distinct. The others
/// repeat them.
template <class DrawElement>
std::vector<std::byte> repeated(Choices& choices, DType dtype, std::int64_t count,
                                const ElementWish& wish, DrawElement draw) {
  std::int64_t drawn = count;
  if (wish.distinct != nullptr && count > 0)
    drawn = 1 + choices.below(std::min<std::int64_t>(wish.distinct(dtype), count));
  std::vector<std::byte> elements;
  for (std::int64_t i = 0; i < drawn; ++i) {
    const Element element = draw();
    elements.insert(elements.end(), element.begin(), element.end());
  }
  const std::size_t period = elements.size();
  elements.resize(static_cast<std::size_t>(count * itemsize(dtype)));
  for (std::size_t i = period; i < elements.size(); ++i) elements[i] = elements[i - period];
  return elements;
}

}  // namespace

std::vector<std::byte> draw_elements(Choices& choices, DType dtype, std::int64_t count,
                                     const ElementWish& wish) {
  return repeated(choices, dtype, count, wish, [&] { return draw_element(choices, dtype, wish); });
}

std::vector<std::byte> draw_whole_elements(Choices& choices, DType dtype, std::int64_t count,
                                           int first, int last, const ElementWish& wish) {
  return repeated(choices, dtype, count, wish, [&] {
    return element_of(dtype, static_cast<std::int64_t>(choices.between(first, last)));
  });
}

Number draw_number(Choices& choices, Category category) {
  switch (category) {
    case Category::kBool:
      return choices.chance(50);
    case Category::kIntegral:
      if (choices.chance(5)) return choices.bits();
      return draw_whole(choices);
    case Category::kComplex:
      return Complex<double>{draw_floating(choices), draw_floating(choices)};
    default:
      return draw_floating(choices);
  }
}

bool is_zero_or_minus_one(std::span<const std::byte> element) {
  return std::all_of(element.begin(), element.end(),
                     [&](std::byte b) { return b == element[0]; }) &&
         (element[0] == std::byte{0} || element[0] == std::byte{0xff});
}

void make_divisors(Choices& choices, Operand& tensor) {
  const auto size = static_cast<std::size_t>(itemsize(tensor.dtype));
  for (std::size_t at = 0; at < tensor.values.size(); at += size) {
    if (!is_zero_or_minus_one({tensor.values.data() + at, size})) continue;
    const std::int64_t divisor = is_bool(tensor.dtype) ? 1 : choices.between(2, 5);
    const Element element = element_of(tensor.dtype, divisor);
    std::copy(element.begin(), element.end(),
              tensor.values.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace upcast
