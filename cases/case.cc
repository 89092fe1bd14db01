#include "cases/case.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace upcast {
namespace {

std::array<std::byte, 16> bits_of(const Number& number) {
  std::array<std::byte, 16> bits{};
  number.visit([&bits](auto value) { std::memcpy(bits.data(), &value, sizeof value); });
  return bits;
}

bool same_bits(const Number& a, const Number& b) {
  return a.dtype() == b.dtype() && bits_of(a) == bits_of(b);
}

}  // namespace

bool Operand::operator==(const Operand& other) const {
  return tag == other.tag && dtype == other.dtype && sizes == other.sizes &&
         strides == other.strides && offset == other.offset && shares == other.shares &&
         device == other.device && values == other.values && same_bits(number, other.number) &&
         text == other.text;
}

std::int64_t element_span(const Operand& operand) {
  if (element_count(operand) == 0) return operand.offset;
  const Dims strides =
      operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
  std::int64_t last = operand.offset;
  for (std::size_t d = 0; d < strides.size(); ++d) last += (operand.sizes[d] - 1) * strides[d];
  return last + 1;
}

bool uses_device(const Case& c, Device device) {
  if (c.device == device || c.out.device == device || c.second_out.device == device) return true;
  return std::any_of(c.arguments.begin(), c.arguments.end(),
                     [device](const Operand& operand) { return operand.device == device; });
}

bool same_layout(const Operand& a, const Operand& b) {
  return a.sizes == b.sizes && a.strides == b.strides && a.offset == b.offset;
}

std::string_view Case::callable() const { return op->callable(overload, form); }

const Operand& Case::operand(int position) const {
  return position == kOutPosition         ? out
         : position == kSecondOutPosition ? second_out
                                          : arguments[position];
}

Operand& Case::operand(int position) {
  return const_cast<Operand&>(std::as_const(*this).operand(position));
}

bool Case::operator==(const Case& other) const {
  return op == other.op && overload == other.overload && form == other.form &&
         arguments == other.arguments && out == other.out && second_out == other.second_out &&
         defaults.floating == other.defaults.floating && device == other.device &&
         values == other.values && seed == other.seed && expectation == other.expectation;
}

}  // namespace upcast
