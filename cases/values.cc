#include "cases/values.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "cases/element.h"
#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

// How many elements of kSmall come before they repeat. 7 shares no factor with a vector width. At
// index 2 all arguments are equal, so that comparisons see a tie. The first elements, which
// zero-dim and four-element tensors hold, cover the domains of acosh and atanh.
constexpr std::size_t kPeriod = 7;
constexpr std::size_t kTie = 2;
constexpr int kSmallArguments = 3;

constexpr std::array<std::array<double, kPeriod>, kSmallArguments> kReals{{
    {1.0 / 3, -2.25, 2.5, -0.1, 0.75, 96.5, -40.3},
    {-1.1, 0.7, 2.5, -3, 0.3, 12.25, -0.6},
    {0.25, 1.3, 2.5, -0.9, -7, 0.1, 20.5},
}};
constexpr std::array<std::array<std::int64_t, kPeriod>, kSmallArguments> kWholes{{
    {7, -5, 3, 50, -1, 2, 96},
    {2, 4, 3, -7, 5, -1, 6},
    {5, -6, 3, 9, 1, -3, 8},
}};
constexpr std::array<std::array<bool, kPeriod>, kSmallArguments> kBoolValues{{
    {true, false, true, true, false, true, false},
    {true, true, false, true, true, false, false},
    {false, true, true, false, true, false, true},
}};
constexpr double kImaginaryTie = -0.75;
constexpr std::int64_t kOutFill = 99;

void append_cast(DType from, const void* value, DType to, std::vector<std::byte>& elements) {
  std::array<std::byte, 16> element{};
  cast_elements(from, static_cast<const std::byte*>(value), to, element.data(), 1);
  elements.insert(elements.end(), element.begin(), element.begin() + itemsize(to));
}

void append_small(DType dtype, int argument, std::size_t i, std::vector<std::byte>& elements) {
  const int row = argument % kSmallArguments;
  const std::size_t column = i % kPeriod;
  if (is_bool(dtype)) {
    elements.push_back(std::byte{kBoolValues[row][column]});
  } else if (is_integral(dtype)) {
    const std::int64_t value = kWholes[row][column];
    const std::int64_t fitting = has_sign(dtype) || value > 0 ? value : -value;
    append_cast(DType::kInt64, &fitting, dtype, elements);
  } else if (kElementwise.contains(dtype)) {
    Complex<double> value{kReals[row][column], kReals[row][(column + 1) % kPeriod]};
    if (column == kTie) value.im = kImaginaryTie;
    if (!has_sign(dtype) && value.re < 0) value.re = -value.re;
    append_cast(DType::kComplex128, &value, dtype, elements);
  } else {
    for (int k = 0; k < itemsize(dtype); ++k)
      elements.push_back(std::byte(1 + 31 * i + 17 * static_cast<std::size_t>(row) + k));
  }
}

/// The random generator of one argument. Each argument of a case has a generator of its own.
SplitMix64 generator(const Case& c, int argument) {
  SplitMix64 seeds(c.seed);
  std::uint64_t state = seeds.next();
  for (int i = kOutPosition; i < argument; ++i) state = seeds.next();
  return SplitMix64(state);
}

std::vector<std::byte> make_special(DType dtype, std::size_t n, SplitMix64 random) {
  const std::vector<std::byte>& all = special_elements(dtype);
  const std::size_t bytes = itemsize(dtype);
  const std::size_t count = all.size() / bytes;
  std::size_t at = random.next() % count;
  std::size_t step = 1 + random.next() % count;
  while (std::gcd(step, count) != 1) ++step;  // then `count` successive elements hold each once
  std::vector<std::byte> elements(n * bytes);
  for (std::size_t i = 0; i < n; ++i, at = (at + step) % count)
    std::memcpy(elements.data() + i * bytes, all.data() + at * bytes, bytes);
  return elements;
}

std::vector<std::byte> make_random(DType dtype, std::size_t n, SplitMix64 random) {
  std::vector<std::byte> elements(n * itemsize(dtype));
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < elements.size(); ++i, bits >>= 8) {
    if (i % 8 == 0) bits = random.next();
    elements[i] = std::byte(is_bool(dtype) ? bits & 1 : bits & 0xff);
  }
  return elements;
}

/// Elements whose bits count up: first, first + 1, ..., cut to the size of `Bits`.
template <class Bits>
std::vector<std::byte> count_up(std::size_t n, std::uint64_t first) {
  std::vector<std::byte> elements(n * sizeof(Bits));
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = static_cast<Bits>(first + i);
    std::memcpy(elements.data() + i * sizeof bits, &bits, sizeof bits);
  }
  return elements;
}

std::vector<std::byte> make_consecutive(DType dtype, std::size_t n, std::uint64_t first) {
  const std::size_t size = itemsize(dtype);
  if (size == 4) return count_up<std::uint32_t>(n, first);  // fast, for sweeps over 2^32 inputs
  if (size == 2) return count_up<std::uint16_t>(n, first);
  std::vector<std::byte> elements(n * size);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = is_bool(dtype) ? (first + i) & 1 : first + i;
    std::memcpy(elements.data() + i * size, &bits, std::min(size, sizeof bits));
  }
  return elements;
}

std::vector<std::byte> make_out_fill(DType dtype, std::size_t n) {
  std::vector<std::byte> elements;
  for (std::size_t i = 0; i < n; ++i) {
    if (kElementwise.contains(dtype))
      append_cast(DType::kInt64, &kOutFill, dtype, elements);
    else
      elements.insert(elements.end(), itemsize(dtype), std::byte{kOutFill});
  }
  return elements;
}

std::vector<std::byte> number_element(const Number& number) {
  return number.visit([](auto value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    return std::vector<std::byte>(bytes, bytes + sizeof value);
  });
}

}  // namespace

std::vector<std::byte> operand_values(const Case& c, int argument) {
  check(argument >= kSecondOutPosition && argument < static_cast<int>(c.arguments.size()),
        "operand_values: an argument of the case");
  const Operand& operand = c.operand(argument);
  if (operand.tag == Operand::Tag::kNumber) return number_element(operand.number);
  if (operand.tag != Operand::Tag::kTensor || operand.shares != kOwnStorage) return {};
  if (!operand.values.empty()) return operand.values;
  const auto n = static_cast<std::size_t>(element_count(operand));
  if (argument < 0) return make_out_fill(operand.dtype, n);
  switch (c.values) {
    case ValueClass::kSpecial:
      if (is_bool(operand.dtype)) return make_random(operand.dtype, n, generator(c, argument));
      return make_special(operand.dtype, n, generator(c, argument));
    case ValueClass::kRandom:
      return make_random(operand.dtype, n, generator(c, argument));
    case ValueClass::kConsecutive:
      return make_consecutive(operand.dtype, n, argument == 0 ? c.seed * n : 0);
    case ValueClass::kSmall:
      break;
  }
  std::vector<std::byte> elements;
  elements.reserve(n * itemsize(operand.dtype));
  for (std::size_t i = 0; i < n; ++i) append_small(operand.dtype, argument, i, elements);
  return elements;
}

}  // namespace upcast
