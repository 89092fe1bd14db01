#include "oracle/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "cases/literal.h"

namespace upcast {
namespace {

constexpr std::size_t kShown = 16;

/// The number of elements whose values the answer holds; 0 if it is no tensor.
std::size_t values_of(const Answer& answer) {
  const std::size_t size = itemsize(answer.dtype);
  return size == 0 || answer.tag != Answer::Tag::kTensor ? 0 : answer.bytes.size() / size;
}

std::string element_text(const Answer& answer, std::size_t i) {
  const bool decided = i >= answer.leeway.size() || !std::isinf(answer.leeway[i]);
  return decided ? print_element(answer.dtype, answer.bytes.data() + i * itemsize(answer.dtype))
                 : "undecided";
}

}  // namespace

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

std::string to_text(const Answer& answer, const Elements& elements) {
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
  const std::size_t count = values_of(answer);
  if (!elements.empty()) {
    for (const std::size_t i : elements)
      if (i < count)
        fmt::format_to(std::back_inserter(text), "{}: {}, ", i, element_text(answer, i));
    return text + "...}";
  }
  for (std::size_t i = 0; i < std::min(count, kShown); ++i) {
    if (i > 0) text += ',';
    text += element_text(answer, i);
  }
  return text + (count > kShown ? ",...}" : "}");
}

Elements elements_in(std::string_view text) {
  Elements elements;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find(", ", at)) {
    at += text[at] == '{' ? 1 : 2;
    std::size_t place = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), place);
    if (error == std::errc{} && end < text.data() + text.size() && *end == ':')
      elements.push_back(place);
  }
  return elements;
}

Elements differing_elements(const Answer& a, const Answer& b, std::size_t first) {
  Elements elements;
  const std::size_t count = std::min(values_of(a), values_of(b));
  if (count <= kShown || a.dtype != b.dtype) return elements;
  for (std::size_t i = first; i < count && elements.size() < kShown; ++i)
    if (element_text(a, i) != element_text(b, i)) elements.push_back(i);
  return elements;
}

}  // namespace upcast
