#include "oracle/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/literal.h"

namespace upcast {

std::uint8_t answer_code(const Answer& answer) {
  constexpr std::uint8_t kFirstRefusal = 64;
  switch (answer.tag) {
    case Answer::Tag::kTensor:
    case Answer::Tag::kDType:
      return static_cast<std::uint8_t>(answer.dtype);
    case Answer::Tag::kRefusal:
      return static_cast<std::uint8_t>(kFirstRefusal + static_cast<int>(answer.rejection));
    case Answer::Tag::kNotJudged:
      break;
    case Answer::Tag::kBroken:
      return kBrokenCode;
  }
  return kCannotSayCode;
}

RejectionCode rejection_of(std::string_view name) {
  const auto* const found = std::find(kRejectionNames.begin(), kRejectionNames.end(), name);
  return found == kRejectionNames.end()
             ? RejectionCode::kOther
             : static_cast<RejectionCode>(found - kRejectionNames.begin());
}

std::string to_text(const Answer& answer) {
  constexpr std::size_t kShown = 16;
  constexpr const char* kUndecided = "undecided";
  switch (answer.tag) {
    case Answer::Tag::kDType:
      return fmt::format("dtype {}", name(answer.dtype));
    case Answer::Tag::kRefusal:
      return answer.detail.empty()
                 ? fmt::format("refuses({})", name(answer.rejection))
                 : fmt::format("refuses({}: {})", name(answer.rejection), answer.detail);
    case Answer::Tag::kNotJudged:
      return fmt::format("not_judged({})", answer.detail);
    case Answer::Tag::kBroken:
      return fmt::format("broken({})", answer.detail);
    case Answer::Tag::kTensor:
      break;
  }
  std::string text = fmt::format("{}[{}]", name(answer.dtype), fmt::join(answer.sizes, ","));
  if (answer.without_values) return text;
  text += '{';
  const std::size_t size = itemsize(answer.dtype);
  const std::size_t count = size == 0 ? 0 : answer.bytes.size() / size;
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) {
    if (i > 0) text += ',';
    const bool decided = i >= answer.leeway.size() || !std::isinf(answer.leeway[i]);
    text += decided ? print_element(answer.dtype, answer.bytes.data() + i * size) : kUndecided;
  }
  return text + (count > kShown ? ",...}" : "}");
}

}  // namespace upcast
