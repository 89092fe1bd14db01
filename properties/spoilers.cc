#include "properties/spoilers.h"

#include <algorithm>

#include "properties/elements.h"

namespace upcast::properties {
namespace {

bool has_elements(const Answer& answer) {
  return answer.tag == Answer::Tag::kTensor && !answer.bytes.empty();
}

const Operand* first_tensor(const Case& c) {
  for (const Operand& operand : c.arguments)
    if (operand.tag == Operand::Tag::kTensor) return &operand;
  return nullptr;
}

}  // namespace

void nudge(const Case&, Answer& answer) {
  if (!has_elements(answer)) return;
  std::byte& lowest = answer.bytes[0];
  lowest = is_bool(answer.dtype) ? std::byte{lowest == std::byte{0}}
                                 : std::byte(std::to_integer<int>(lowest) + 1);
}

void nudge_of_negative(const Case& c, Answer& answer) {
  const Operand* first = first_tensor(c);
  if (first == nullptr || first->values.empty()) return;
  const std::byte top = first->values[static_cast<std::size_t>(itemsize(first->dtype)) - 1];
  if ((top & std::byte{0x80}) != std::byte{0}) nudge(c, answer);
}

void nudge_of_greater_first(const Case& c, Answer& answer) {
  if (c.arguments.size() >= 2 && c.arguments[0].values > c.arguments[1].values) nudge(c, answer);
}

void nudge_of_vectors(const Case& c, Answer& answer) {
  if (has_elements(answer) && numel(answer.sizes) > 1) nudge(c, answer);
}

void nan_is_zero(const Case&, Answer& answer) {
  if (!has_elements(answer)) return;
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  for (std::size_t i = 0; i < answer.bytes.size() / size; ++i)
    if (Elements(answer).is_nan(i))
      std::fill_n(answer.bytes.begin() + static_cast<std::ptrdiff_t>(i * size), size, std::byte{0});
}

}  // namespace upcast::properties
