#include "fuzz/findings/short_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cases/known_differences.h"
#include "cases/visible.h"
#include "fuzz/findings/short_values.h"

namespace upcast::fuzz::internal {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::int64_t kFew = 4;    // up to so many elements are listed even if all are equal
constexpr std::int64_t kMost = 64;  // the most elements that are listed

bool is_output(const Case& c, const Operand& operand) {
  return &operand == &c.out || &operand == &c.second_out;
}

std::string short_name(const Case& c, const Operand& operand) {
  constexpr std::array<const char*, 5> kNames{"x", "y", "z", "w", "v"};
  if (is_output(c, operand)) return &operand == &c.out ? "out" : "out2";
  std::size_t place = 0;
  for (const Operand& each : c.arguments) {
    if (&each == &operand) break;
    place += each.tag == Operand::Tag::kTensor;
  }
  return place < kNames.size() ? kNames[place] : fmt::format("x{}", place);
}

std::vector<std::byte> bytes_of(const TensorPart& part) {
  const std::vector<std::byte> repeated = bytes_of_hex(part.hex);
  if (repeated.empty()) return {};
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(part.elements * itemsize(part.operand->dtype)));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = repeated[i % repeated.size()];
  return bytes;
}

bool lies_in_order(const Operand& operand) {
  if (operand.strides.empty()) return true;
  const Dims plain = contiguous_strides(operand.sizes);
  for (std::size_t i = 0; i < plain.size(); ++i)
    if (operand.sizes[i] != 1 && operand.strides[i] != plain[i]) return false;
  return true;
}

bool are_alike(const std::vector<std::byte>& storage, int size) {
  return !storage.empty() && std::equal(storage.begin() + size, storage.end(), storage.begin());
}

}  // namespace

std::vector<ShortOperand> short_operands(const Reproducible& finding) {
  std::vector<ShortOperand> operands;
  for (const TensorPart& part : tensor_parts(finding)) {
    if (part.is_owner) continue;
    const Operand& operand = *part.operand;
    ShortOperand made{.name = short_name(finding.c, operand), .operand = &operand};
    made.device = part.device;
    made.elements = part.elements;
    made.strides = operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
    made.is_contiguous =
        lies_in_order(operand) && operand.offset == 0 && part.elements == numel(operand.sizes);
    if (!part.owner.empty())
      made.owner = short_name(finding.c, finding.c.operand(operand.shares));
    else if (!is_output(finding.c, operand))
      made.storage = bytes_of(part);
    made.is_uniform = made.elements > kFew && are_alike(made.storage, itemsize(operand.dtype));
    operands.push_back(std::move(made));
  }
  return operands;
}

std::string variable_of(const std::vector<ShortOperand>& operands, const Case& c,
                        const Operand& operand) {
  for (const ShortOperand& each : operands)
    if (each.operand == &operand) return each.name;
  // An operand that is the whole tensor whose storage it shares has that tensor's variable.
  return short_name(c, c.operand(operand.shares));
}

std::string why_not_short(const Reproducible& finding, const std::vector<ShortOperand>& operands) {
  if (finding.callee.kind != Callee::Kind::kLibTorch)
    return "short programs are for LibTorch only, and this case is about " + finding.callee.name;
  if (finding.code != VerdictCode::kDifferValue && finding.code != VerdictCode::kDifferDType &&
      finding.code != VerdictCode::kDifferShape && finding.code != VerdictCode::kDifferStrides &&
      finding.code != VerdictCode::kCrash && finding.code != VerdictCode::kTimeout &&
      !is_of_refusal(finding.code))
    return fmt::format("short programs cannot show a difference of kind {}", kind_of(finding.code));
  for (const ShortOperand& each : operands) {
    if (each.device == Device::kCuda) return "its tensors are on a GPU";
    if (!each.is_uniform && !each.storage.empty() && each.elements > kMost)
      return fmt::format("a tensor has {} elements that are not all the same", each.elements);
  }
  return "";
}

std::string title_of(const Reproducible& finding) {
  const std::string version = finding.libtorch.empty() ? "" : " " + finding.libtorch;
  const std::string device = finding.device == Device::kMeta ? "meta tensors" : "CPU";
  const std::string title = fmt::format("PyTorch{}, {}", version, device);
  return finding.reason.empty() ? title : title + ": " + without_finder(finding.reason);
}

std::string failure_of(const Reproducible& finding) {
  const Reply& wrong = finding.wrong;
  if (wrong.timed_out()) return fmt::format("no answer in {} s", finding.time_limit);
  if (wrong.died()) return "the process ends, " + wrong.death;
  return wrong.answer.detail.empty() ? "the call raises" : wrong.answer.detail;
}

std::vector<std::string> comment(std::string_view text, std::string_view mark, std::size_t most) {
  std::string rest(text);
  std::replace(rest.begin(), rest.end(), '\n', ' ');
  rest = visible(rest);
  std::vector<std::string> lines;
  const std::size_t width = kWidth - mark.size() - 1;
  while (!rest.empty() && lines.size() < most) {
    std::size_t end = rest.size();
    if (end > width) {
      end = rest.rfind(' ', width);
      if (end == rest.npos || end == 0) end = std::min(rest.find(' '), rest.size());
    }
    std::string line = rest.substr(0, end);
    rest.erase(0, std::min(end + 1, rest.size()));
    if (lines.size() + 1 == most && !rest.empty()) line += " ...";
    // A backslash at the end would make the next line a part of the comment.
    if (line.ends_with('\\')) line += '.';
    lines.push_back(fmt::format("{} {}", mark, line));
  }
  return lines;
}

std::vector<std::string> with_comment(const std::string& line, const std::string& text,
                                      std::string_view mark) {
  const std::string annotated = fmt::format("{}  {} {}", line, mark, text);
  const bool is_plain = text.find_first_of("\n\\") == text.npos && first_hidden(text) == text.npos;
  if (annotated.size() <= kWidth && is_plain) return {annotated};
  std::vector<std::string> lines = comment(text, mark, 2);
  const std::size_t indent = line.find_first_not_of(' ');
  for (std::string& each : lines) each.insert(0, indent, ' ');
  lines.push_back(line);
  return lines;
}

}  // namespace upcast::fuzz::internal
