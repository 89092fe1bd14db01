#include "cases/operands.h"
#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz {
namespace {

/// Whether an overload could take a case's arguments: it has a parameter for each given one, and a
/// Scalar for each number.
bool stands_in(const Schema& other, const Case& c) {
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    if (c.arguments[i].tag == Operand::Tag::kAbsent) continue;
    const int at = other.find(c.schema().parameters[i].name);
    if (at < 0) return false;
    if (c.arguments[i].tag == Operand::Tag::kNumber &&
        other.parameters[static_cast<std::size_t>(at)].type != ParameterType::kScalar)
      return false;
  }
  return true;
}

}  // namespace

bool internal::needs_another_overload(const Case& c) {
  if (c.op->spec->takes_numbers_as_tensors) return false;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    if (c.arguments[i].tag == Operand::Tag::kNumber && is_tensor(c.schema().parameters[i]))
      return true;
  }
  return false;
}

std::string why_not_in_python(const Case& c) {
  if (!internal::needs_another_overload(c)) return "";
  const std::string name = internal::operator_name(c).first;
  for (const Op& op : catalogue()) {  // a name may have several catalogue rows (pow)
    for (std::size_t other = 0; other < op.schemas.size(); ++other) {
      const std::string_view callable = op.callable(static_cast<int>(other), c.form);
      if (callable.substr(0, callable.find('.')) == name && stands_in(op.schemas[other], c))
        return "";
    }
  }
  return "a number cannot be passed as a tensor to this op";
}

}  // namespace upcast::fuzz
