#include "cases/draw/neighbour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "cases/element.h"
#include "cases/operands.h"
#include "cases/values.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

constexpr std::array<std::int64_t, 12> kLengths{1, 2, 3, 5, 8, 9, 16, 17, 32, 33, 64, 67};
constexpr int kNudged = 40;  // percent

bool stays(DType dtype, const std::byte* element) {
  const double value = real_part(dtype, element);
  return is_floating(dtype) && (value == 0 || !std::isfinite(value));
}

/// Moves a real element by one to three codes, with the same sign. A finite one stays finite.
void nudge(Choices& choices, DType dtype, std::byte* element) {
  if (is_bool(dtype) || stays(dtype, element)) return;
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  std::uint64_t code = 0;
  std::memcpy(&code, element, size);
  code += choices.from({-3, -2, -1, 1, 2, 3});
  std::array<std::byte, sizeof(code)> near{};
  std::memcpy(near.data(), &code, size);
  const bool crosses =
      std::signbit(real_part(dtype, near.data())) != std::signbit(real_part(dtype, element));
  if (!crosses && !stays(dtype, near.data())) std::memcpy(element, near.data(), size);
}

void nudge_parts(Choices& choices, DType dtype, std::span<std::byte> element) {
  const DType real = to_real(dtype);
  const auto size = static_cast<std::size_t>(itemsize(real));
  for (std::size_t at = 0; at + size <= element.size(); at += size)
    if (choices.chance(kNudged)) nudge(choices, real, element.data() + at);
}

Number near(Choices& choices, const Number& number) {
  return number.visit([&choices](auto value) -> Number {
    if constexpr (std::is_same_v<decltype(value), double>)
      if (choices.chance(kNudged))
        nudge(choices, DType::kFloat64, reinterpret_cast<std::byte*>(&value));
    return Number(value);
  });
}

bool is_owner(const Operand& operand) {
  return operand.tag == Tag::kTensor && operand.shares == kOwnStorage;
}

/// The length of a case's tensors if all tensors with dimensions are contiguous and have one
/// dimension of the same length. Nothing otherwise.
std::optional<std::int64_t> common_length(const Case& c) {
  std::optional<std::int64_t> length;
  for (int i = kSecondOutPosition; i < static_cast<int>(c.arguments.size()); ++i) {
    if (i == -2) continue;
    const Operand& operand = c.operand(i);
    if (operand.tag != Tag::kTensor || operand.sizes.empty()) continue;
    if (operand.sizes.size() != 1 || !operand.strides.empty() || operand.offset != 0 ||
        (length && *length != operand.sizes[0]))
      return std::nullopt;
    length = operand.sizes[0];
  }
  return length && *length > 0 ? length : std::nullopt;
}

/// The elements of `values` at `places`, in that order.
std::vector<std::byte> gathered(const std::vector<std::byte>& values, std::size_t size,
                                const std::vector<std::size_t>& places) {
  std::vector<std::byte> gathered(places.size() * size);
  for (std::size_t i = 0; i < places.size(); ++i)
    std::memcpy(gathered.data() + i * size, values.data() + places[i] * size, size);
  return gathered;
}

}  // namespace

Case draw_neighbour(Choices& choices, const Case& c) {
  Case made = c;
  made.expectation.reset();
  const std::optional<std::int64_t> length = common_length(c);
  std::vector<std::size_t> places(
      static_cast<std::size_t>(length ? choices.from(kLengths) : std::int64_t{0}));
  for (std::size_t& place : places) place = choices.below(static_cast<std::size_t>(*length));
  for (int i = kSecondOutPosition; i < static_cast<int>(c.arguments.size()); ++i) {
    if (i == -2) continue;
    Operand& operand = made.operand(i);
    if (operand.tag == Tag::kNumber) operand.number = near(choices, operand.number);
    const bool is_vector = operand.tag == Tag::kTensor && !operand.sizes.empty() && length;
    if (is_vector) operand.sizes = {static_cast<std::int64_t>(places.size())};
    if (i < 0 || !is_owner(operand) || itemsize(operand.dtype) == 0) continue;
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    operand.values = operand_values(c, i);
    if (is_vector) operand.values = gathered(operand.values, size, places);
    for (std::size_t at = 0; at < operand.values.size(); at += size)
      nudge_parts(choices, operand.dtype, std::span(operand.values).subspan(at, size));
  }
  return made;
}

}  // namespace upcast
