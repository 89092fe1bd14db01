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
  if (a.died()) return false;
  if (a.answer.tag != b.answer.tag) return true;
  if (a.answer.tag != Answer::Tag::kTensor) return false;
  const std::size_t count = std::min(count_of(a.answer), count_of(b.answer));
  for (std::size_t i = 0; i < count; ++i)
    if (differ_in_kind(element_of(a.answer, i), element_of(b.answer, i))) return true;
  return false;
}

}  // namespace upcast
