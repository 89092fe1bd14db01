#include "fuzz/endless.h"

#include <array>

#include "cases/values.h"
#include "impl/core/cast.h"

namespace upcast::fuzz {
namespace {

/// Calls `far` with each element of an operand, as float64.
template <class Far>
bool any_element(const Case& c, int position, Far far) {
  const Operand* operand = &c.arguments[position];
  if (operand->shares != kOwnStorage) position = operand->shares, operand = &c.arguments[position];
  const bool number = operand->tag == Operand::Tag::kNumber;
  if (!number && operand->tag != Operand::Tag::kTensor) return false;
  const DType dtype = number ? operand->number.dtype() : operand->dtype;
  const std::vector<std::byte> elements = operand_values(c, position);
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  for (std::size_t at = 0; at + size <= elements.size(); at += size) {
    std::array<double, 2> value{};
    cast_elements(dtype, elements.data() + at, DType::kComplex128,
                  reinterpret_cast<std::byte*>(value.data()), 1);
    if (far(value[0])) return true;
  }
  return false;
}

}  // namespace

bool is_endless(const Case& c) {
  const LoopBound& loop = c.op->spec->loop;
  const int position = c.schema().find(loop.parameter);
  return position >= 0 && any_element(c, position, [&loop](double value) {
           return value < loop.least || value > loop.most;
         });
}

}  // namespace upcast::fuzz
