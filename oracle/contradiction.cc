#include "oracle/contradiction.h"

#include <algorithm>
#include <cmath>

#include "oracle/same_value.h"

namespace upcast {
namespace {

std::size_t count_of(const Answer& answer) {
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  return size == 0 ? 0 : answer.bytes.size() / size;
}

ElementParts element_of(const Answer& answer, std::size_t i) {
  return parts_of(answer.dtype,
                  answer.bytes.data() + i * static_cast<std::size_t>(itemsize(answer.dtype)));
}

bool differ_in_kind(const ElementParts& a, const ElementParts& b) {
  for (std::size_t part = 0; part < a.size(); ++part)
    if (std::isnan(a[part]) != std::isnan(b[part]) || std::isinf(a[part]) != std::isinf(b[part]))
      return true;
  return false;
}

}  // namespace

bool contradict_in_kind(const Reply& a, const Reply& b) {
  if (a.died() != b.died()) return true;
  return !a.died() && contradict_in_kind(a.answer, b.answer);
}

bool contradict_in_kind(const Answer& a, const Answer& b) {
  if (a.tag != b.tag) return true;
  if (a.tag != Answer::Tag::kTensor) return false;
  if (a.dtype != b.dtype) return true;
  const std::size_t count = std::min(count_of(a), count_of(b));
  for (std::size_t i = 0; i < count; ++i)
    if (differ_in_kind(element_of(a, i), element_of(b, i))) return true;
  return false;
}

}  // namespace upcast
