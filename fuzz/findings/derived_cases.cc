#include "fuzz/findings/derived_cases.h"

#include <cmath>
#include <cstring>

#include "cases/element.h"
#include "cases/operands.h"
#include "cases/ordinary.h"
#include "cases/simplify.h"
#include "cases/values.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

bool owns_elements(const Operand& operand) {
  return operand.tag == Tag::kTensor && operand.shares == kOwnStorage;
}

/// A random value for an element. It may be negative if the dtype has signs. All orders of
/// magnitude are equally frequent.
double ordinary(Choices& choices, DType dtype) {
  const double unit = std::ldexp(static_cast<double>(choices.bits() >> 11), -53);
  const double size = std::pow(10, 4 * unit - 2);
  const bool is_negative = choices.chance(50) && has_sign(dtype);
  return is_negative ? -size : size;
}

std::vector<std::byte> ordinary_elements(Choices& choices, DType dtype, std::int64_t count) {
  const DType real = to_real(dtype);
  std::vector<std::byte> elements;
  const std::int64_t parts = is_complex(dtype) ? 2 * count : count;
  for (std::int64_t i = 0; i < parts; ++i) {
    const double value = is_bool(real) ? choices.below(2) : ordinary(choices, real);
    const auto element = is_integral(real) ? element_of(real, static_cast<std::int64_t>(value))
                                           : element_of(real, value);
    elements.insert(elements.end(), element.begin(), element.end());
  }
  return elements;
}

}  // namespace

std::optional<DType> only_dtype(const Case& c) {
  std::optional<DType> found;
  for (const int position : tensor_arguments(c)) {
    const DType dtype = c.operand(position).dtype;
    if (found && *found != dtype) return std::nullopt;
    found = dtype;
  }
  return found;
}

Case in_dtype(Case c, DType dtype) {
  for (const int position : tensor_arguments(c))
    if (owns_elements(c.operand(position))) c = with_dtype(std::move(c), position, dtype);
  return c;
}

std::optional<Case> in_form(const Case& c, Form form, DType result, const Dims& sizes) {
  if (c.op->callable(c.overload, form).empty()) return std::nullopt;
  if (form == Form::kInPlace && c.operand(written_position(c)).tag != Tag::kTensor)
    return std::nullopt;
  Case made = c;
  made.form = form;
  made.out = made.second_out = {};
  if (form == Form::kOut) set_out(made, tensor(result, sizes));
  return made;
}

Case with_ordinary_elements(const Case& c, Choices& choices, std::int64_t count) {
  Case made = c;
  made.expectation.reset();
  for (const int position : tensor_arguments(c)) {
    Operand& operand = made.operand(position);
    if (!owns_elements(operand)) continue;
    operand.strides.clear();
    operand.offset = 0;
    if (!operand.sizes.empty()) operand.sizes = {count};
    operand.values = ordinary_elements(choices, operand.dtype, operand.sizes.empty() ? 1 : count);
  }
  return made;
}

Case with_one_element(const Case& c, std::size_t element, std::int64_t count) {
  Case made = c;
  for (const int position : tensor_arguments(c)) {
    Operand& operand = made.operand(position);
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    if (!owns_elements(operand) || operand.sizes.size() != 1 || size == 0) continue;
    const std::vector<std::byte> values = operand_values(c, position);
    const std::size_t from = operand.sizes[0] == 1 ? 0 : element;
    operand.sizes = {count};
    operand.values.clear();
    for (std::int64_t i = 0; i < count; ++i)
      operand.values.insert(operand.values.end(), values.begin() + static_cast<long>(from * size),
                            values.begin() + static_cast<long>((from + 1) * size));
  }
  return made;
}

Case with_digits(Case c, int digits) {
  for (const int position : tensor_arguments(c)) {
    Operand& operand = c.operand(position);
    const DType real = to_real(operand.dtype);
    if (!owns_elements(operand) || !is_floating(real)) continue;
    operand.values = operand_values(c, position);
    const auto size = static_cast<std::size_t>(itemsize(real));
    for (std::size_t at = 0; at < operand.values.size(); at += size) {
      const double value =
          with_significant_digits(real_part(real, operand.values.data() + at), digits);
      std::memcpy(operand.values.data() + at, element_of(real, value).data(), size);
    }
  }
  for (Operand& operand : c.arguments)
    if (operand.tag == Tag::kNumber)
      operand.number = operand.number.visit([digits](auto value) -> Number {
        if constexpr (std::is_same_v<decltype(value), double>)
          value = with_significant_digits(value, digits);
        return Number(value);
      });
  return c;
}

}  // namespace upcast::fuzz
