#include "properties/checks.h"

#include "oracle/same_value.h"
#include "properties/elements.h"
#include "properties/generators.h"

namespace upcast::properties {

namespace {

bool equal_numbers(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Whether two answers are tensors of one dtype and shape with elements that `same` finds equal, or
/// are both refusals.
template <class Same>
bool same_elements(const Answer& a, const Answer& b, Same same) {
  if (a.tag != b.tag) return false;
  if (a.tag == Answer::Tag::kRefusal) return true;
  if (a.dtype != b.dtype) return false;
  if (a.tag == Answer::Tag::kDType) return true;
  if (a.sizes != b.sizes || a.bytes.size() != b.bytes.size()) return false;
  const Elements x(a), y(b);
  for (std::size_t i = 0; i < x.count(); ++i)
    if (!same(x, y, i)) return false;
  return true;
}

}  // namespace

bool same_answer(const Answer& a, const Answer& b) {
  return same_elements(a, b, [](const Elements& x, const Elements& y, std::size_t i) {
    return same_value(x.dtype(), x.at(i), y.at(i));
  });
}

bool same_but_for_signs_of_zeros(const Answer& a, const Answer& b) {
  return same_elements(a, b, [](const Elements& x, const Elements& y, std::size_t i) {
    if (same_value(x.dtype(), x.at(i), y.at(i))) return true;
    return is_floating(to_real(x.dtype())) && equal_numbers(x.re(i), y.re(i)) &&
           equal_numbers(x.im(i), y.im(i));
  });
}

Answer ask(const System& system, std::string_view callable, std::vector<Operand> arguments,
           const Case& like) {
  return system.answer(call_of(callable, std::move(arguments), like));
}

void require_same(const std::string& what, const Answer& a, const Answer& b) {
  if (!same_answer(a, b)) RC_FAIL(what + ": " + to_text(a) + " and " + to_text(b));
}

std::string text_of(std::optional<DType> dtype) {
  return dtype ? std::string(name(*dtype)) : "a refusal";
}

Operand operand_of(const Answer& answer) {
  Operand operand = tensor(answer.dtype, answer.sizes);
  operand.values = answer.bytes;
  return operand;
}

Case call_of(std::string_view callable, std::vector<Operand> arguments, const Case& like) {
  Case c = case_of(callable);
  for (std::size_t i = 0; i < arguments.size() && i < c.arguments.size(); ++i)
    c.arguments[i] = std::move(arguments[i]);
  c.defaults = like.defaults;
  c.device = like.device;
  c.values = like.values;
  c.seed = like.seed;
  return c;
}

}  // namespace upcast::properties
