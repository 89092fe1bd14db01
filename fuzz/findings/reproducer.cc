#include "fuzz/findings/reproducer.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/literal.h"
#include "cases/notation.h"
#include "cases/operand_text.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "oracle/case_call.h"

namespace upcast::fuzz::internal {
namespace {

constexpr std::size_t kShown = 4;  // most elements that a program compares

/// The shortest sequence of bytes that, repeated, makes the storage. "" if all bytes are zero.
std::string pattern_of(std::span<const std::byte> storage, std::size_t itemsize) {
  if (std::all_of(storage.begin(), storage.end(), [](std::byte b) { return b == std::byte{0}; }))
    return storage.empty() ? "" : "00";
  const bool uniform = std::equal(storage.begin() + static_cast<std::ptrdiff_t>(itemsize),
                                  storage.end(), storage.begin());
  return hex_of(uniform ? storage.first(itemsize) : storage);
}

std::string variable(const Case& c, int position) {
  if (position == kOutPosition) return "out";
  if (position == kSecondOutPosition) return "second_out";
  std::string name(c.schema().parameters[static_cast<std::size_t>(position)].name);
  for (const char* taken : {"tensor", "number", "call", "text"})
    if (name == taken) name += "_";
  return name;
}

std::string values_text(const Operand& operand, const Tensor& tensor) {
  constexpr std::int64_t kFew = 16;
  if (!tensor.storage || tensor.device == Device::kMeta || numel(operand.sizes) == 0) return "";
  const std::vector<std::byte> bytes = logical_bytes(tensor);
  const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
  const auto count = std::min<std::int64_t>(kFew, numel(operand.sizes));
  std::string text;
  for (std::int64_t i = 0; i < count; ++i)
    text += (i > 0 ? "," : "") +
            print_element(operand.dtype, bytes.data() + static_cast<std::size_t>(i) * size);
  return text + (count < numel(operand.sizes) ? ",..." : "");
}

void add_elements(const Reproducible& finding, std::size_t result, const Answer& right,
                  const Answer& wrong, std::vector<ElementPart>& parts) {
  if (right.dtype != wrong.dtype || right.bytes.size() != wrong.bytes.size()) return;
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  for (const std::size_t i : differing_elements(finding.c, wrong, right, finding.sides)) {
    if (parts.size() == kShown) return;
    const std::span<const std::byte> a = std::span(right.bytes).subspan(i * size, size);
    const std::span<const std::byte> b = std::span(wrong.bytes).subspan(i * size, size);
    parts.push_back({result, i, hex_of(a), print_element(right.dtype, a.data()), hex_of(b),
                     print_element(wrong.dtype, b.data()),
                     tolerance_at(finding.c, right, i, finding.sides)});
  }
}

}  // namespace

std::string hex_of(std::span<const std::byte> bytes) {
  std::string hex;
  for (const std::byte byte : bytes) hex += fmt::format("{:02x}", static_cast<int>(byte));
  return hex;
}

std::string quoted(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t shown = std::min(first_hidden(text), text.size());
    for (const char c : text.substr(0, shown)) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    text.remove_prefix(shown);
    if (text.empty()) break;
    // An octal escape ends after three digits in C++ and in Python, whatever follows.
    quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(1);
  }
  return quoted + '"';
}

std::string variable_of(const std::vector<TensorPart>& parts, const Operand& operand) {
  for (const TensorPart& part : parts)
    if (part.operand == &operand) return part.name;
  return "";
}

std::pair<std::string, std::string> operator_name(const Case& c) {
  const std::string callable(c.callable());
  const std::size_t dot = callable.find('.');
  if (dot == callable.npos) return {callable, ""};
  return {callable.substr(0, dot), callable.substr(dot + 1)};
}

std::vector<TensorPart> tensor_parts(const Reproducible& finding) {
  const Case& c = finding.c;
  CaseCall maker;
  maker.make(c);
  const std::vector<Tensor> tensors = maker.tensors();
  const auto count = static_cast<int>(c.arguments.size());
  std::vector<int> positions;
  for (int i = 0; i < count; ++i) positions.push_back(i);
  positions.push_back(kOutPosition);
  positions.push_back(kSecondOutPosition);
  // owners first
  std::stable_partition(positions.begin(), positions.end(),
                        [&](int i) { return c.operand(i).shares == kOwnStorage; });
  std::vector<TensorPart> parts;
  for (const int i : positions) {
    const Operand& operand = c.operand(i);
    if (operand.tag != Operand::Tag::kTensor) continue;
    const Tensor& tensor = tensors[static_cast<std::size_t>(i >= 0              ? i
                                                            : i == kOutPosition ? count
                                                                                : count + 1)];
    TensorPart part{.name = variable(c, i), .operand = &operand};
    part.device = device_of(c, operand, finding.device);
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    const std::size_t bytes = tensor.storage ? tensor.storage->size() : 0;
    part.elements =
        std::max(element_span(operand), size == 0 ? 0 : static_cast<std::int64_t>(bytes / size));
    if (operand.shares != kOwnStorage) {
      part.owner = variable(c, operand.shares);
      part.is_owner = same_layout(operand, c.operand(operand.shares));
    } else if (bytes > 0 && part.device != Device::kMeta) {
      part.hex = pattern_of({tensor.storage->data(), bytes}, size);
      part.values = values_text(operand, tensor);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<ElementPart> element_parts(const Reproducible& finding) {
  std::vector<ElementPart> parts;
  const Answer& right = finding.right.answer;
  const Answer& wrong = finding.wrong.answer;
  add_elements(finding, 0, right, wrong, parts);
  for (std::size_t i = 0; i < std::min(right.further.size(), wrong.further.size()); ++i)
    add_elements(finding, i + 1, right.further[i], wrong.further[i], parts);
  check(!parts.empty(), "a difference in values has an element that differs");
  return parts;
}

std::vector<ExpectedPart> expected_parts(const Reproducible& finding) {
  const Answer& right = finding.right.answer;
  std::vector<ExpectedPart> parts;
  const auto add_part = [&parts](const Answer& answer) {
    parts.push_back(
        {.dtype = answer.dtype,
         .sizes = answer.sizes,
         .strides = answer.without_strides ? Dims(answer.sizes.size(), 0) : answer.strides,
         .has_strides = !answer.without_strides && answer.tag == Answer::Tag::kTensor,
         .elements = {}});
  };
  add_part(right);
  for (const Answer& answer : right.further) add_part(answer);
  if (finding.code == VerdictCode::kDifferValue)
    for (ElementPart& element : element_parts(finding))
      parts[element.result].elements.push_back(std::move(element));
  return parts;
}

std::string expected_words(const Reproducible& finding) {
  std::string text = finding.right.text().substr(0, 200);
  if (finding.code == VerdictCode::kDifferStrides)
    text += fmt::format(" strides [{}]", fmt::join(finding.right.answer.strides, ","));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::vector<std::string> head_lines(const Reproducible& finding) {
  std::vector<std::string> lines{print_case(finding.c)};
  if (!finding.who_is_wrong.empty()) lines.push_back(finding.who_is_wrong + ".");
  const auto add = [&lines](std::string_view what, const std::string& text) {
    if (!text.empty()) lines.push_back(fmt::format("{:<10}{}", what, text));
  };
  if (finding.callee.kind == Callee::Kind::kLibTorch) {
    add("expected", finding.right.text());
    add("LibTorch",
        finding.wrong.text() + (finding.libtorch.empty() ? "" : "   (" + finding.libtorch + ")"));
  } else {
    lines.push_back(finding.reference + " gives " + expected_words(finding));
    lines.push_back(finding.callee.name + " gives " + finding.wrong.text());
  }
  add("truth", finding.truth);
  add("because", finding.reason);
  add("witness", finding.witness);
  add("signature", finding.signature);
  for (std::string& line : lines) {
    std::replace(line.begin(), line.end(), '\n', ' ');
    line = visible(line);
    // A backslash at the end would make the next line a part of the comment.
    if (line.ends_with('\\')) line += '.';
  }
  return lines;
}

}  // namespace upcast::fuzz::internal
