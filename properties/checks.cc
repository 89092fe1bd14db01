#include "properties/checks.h"

#include "oracle/host/same_value.h"
#include "properties/generators.h"

namespace upcast::properties {

bool same_answer(const Answer& a, const Answer& b) {
  if (a.tag != b.tag) return false;
  if (a.tag == Answer::Tag::kRefusal) return true;
  if (a.dtype != b.dtype) return false;
  if (a.tag == Answer::Tag::kDType) return true;
  if (a.sizes != b.sizes || a.bytes.size() != b.bytes.size()) return false;
  const auto size = static_cast<std::size_t>(itemsize(a.dtype));
  for (std::size_t at = 0; at < a.bytes.size(); at += size)
    if (!same_value(a.dtype, a.bytes.data() + at, b.bytes.data() + at)) return false;
  return true;
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
