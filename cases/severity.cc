#include "cases/severity.h"

#include <algorithm>
#include <cmath>

#include "cases/element.h"
#include "cases/ordinary.h"
#include "cases/values.h"
#include "impl/core/dtype_set.h"

namespace upcast {
namespace {

constexpr double kLeastOrdinary = 1e-3, kGreatestOrdinary = 1e4;

constexpr DTypeSet kExperimental = kFloat8s | kUnsigned | kComplexHalf | kBComplexHalf;

bool is_ordinary(double value) {
  const double size = std::abs(value);
  return (size == 0 && !std::signbit(value)) ||
         (size >= kLeastOrdinary && size <= kGreatestOrdinary);
}

bool is_ordinary(Complex<double> value) { return is_ordinary(value.re) && is_ordinary(value.im); }

bool has_ordinary_elements(const Case& c, int position) {
  const DType dtype = c.operand(position).dtype;
  const std::vector<std::byte> values = operand_values(c, position);
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  for (std::size_t at = 0; size > 0 && at < values.size(); at += size)
    if (!is_ordinary(value_of(dtype, values.data() + at))) return false;
  return true;
}

bool names_dtype(const Operand& operand) {
  return operand.tag == Operand::Tag::kTensor || operand.tag == Operand::Tag::kDType;
}

template <class F>
bool all_operands(const Case& c, F f) {
  for (int i = kSecondOutPosition; i < static_cast<int>(c.arguments.size()); ++i)
    if (i != -2 && !f(i, c.operand(i))) return false;
  return true;
}

}  // namespace

Severity severity_of(const FaultFacts& facts) {
  if (facts.kind == "crash" || facts.kind == "timeout") return Severity::kCrash;
  if (facts.is_experimental) return Severity::kExperimentalDTypes;
  if (facts.kind != "value" || facts.has_element_of_other_kind) return Severity::kWrongKind;
  return facts.is_ordinary ? Severity::kWrongValue : Severity::kExtremeArguments;
}

bool is_ordinary(const Case& c) {
  return all_operands(c, [&c](int position, const Operand& operand) {
    if (position < 0) return true;
    if (operand.tag == Operand::Tag::kTensor) return has_ordinary_elements(c, position);
    if (operand.tag != Operand::Tag::kNumber) return true;
    return operand.number.visit([](auto value) {
      if constexpr (std::is_arithmetic_v<decltype(value)>)
        return is_ordinary(static_cast<double>(value));
      else
        return is_ordinary(value);
    });
  });
}

int rarity(const Case& c) {
  int rarest = 0;
  all_operands(c, [&rarest](int, const Operand& operand) {
    if (names_dtype(operand)) rarest = std::max(rarest, rarity(operand.dtype));
    return true;
  });
  return rarest;
}

bool is_experimental(const Case& c) {
  return !all_operands(c, [](int, const Operand& operand) {
    return !names_dtype(operand) || !kExperimental.contains(operand.dtype);
  });
}

}  // namespace upcast
