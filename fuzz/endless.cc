#include "fuzz/endless.h"

#include <algorithm>
#include <array>

#include "cases/attribute_values.h"
#include "cases/values.h"
#include "impl/core/cast.h"

namespace upcast::fuzz {
namespace {

constexpr double kManySteps = 1e4;

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

enum class Steps : std::uint8_t { kNone, kDegree, kBelowZero };

Steps steps_of(const Op& op) {
  const std::string_view name = op.spec->name;
  if (name.find("_polynomial_") != std::string_view::npos) return Steps::kDegree;
  constexpr std::array<std::string_view, 3> kStepping{"special_zeta", "polygamma", "digamma"};
  const bool steps = std::find(kStepping.begin(), kStepping.end(), name) != kStepping.end();
  return steps ? Steps::kBelowZero : Steps::kNone;
}

}  // namespace

bool is_endless(const Case& c) {
  const Steps steps = steps_of(*c.op);
  if (steps == Steps::kNone) return false;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    if (steps == Steps::kBelowZero) {
      if (any_element(c, i, [](double value) { return value < -kManySteps; })) return true;
    } else if (is_degree(*c.op, c.schema().parameters[i]) &&
               any_element(c, i, [](double value) { return value > kManySteps; })) {
      return true;
    }
  }
  return false;
}

}  // namespace upcast::fuzz
