#include <fmt/format.h>

#include "cases/operands.h"
#include "cases/visible.h"
#include "fuzz/findings/public_call.h"
#include "fuzz/findings/short_claim.h"
#include "fuzz/findings/short_parts.h"
#include "fuzz/findings/short_program.h"
#include "fuzz/findings/short_values.h"

namespace upcast::fuzz {
namespace {

using internal::Language;
using internal::quoted;
using internal::ShortOperand;
using internal::ValueClaim;
using Lines = std::vector<std::string>;

std::string dtype_text(DType dtype) { return "torch." + std::string(name(dtype)); }

/// Sizes as Python prints a tuple: "(16,)".
std::string tuple_text(const Dims& dims) {
  return fmt::format("({}{})", fmt::join(dims, ", "), dims.size() == 1 ? "," : "");
}

/// Python text for the dtype argument: ", dtype=torch.int32". "" if torch takes that dtype without
/// it.
std::string dtype_argument(DType dtype, DType own) {
  return dtype == own ? "" : ", dtype=" + dtype_text(dtype);
}

/// The dtype that torch.tensor() gives to elements written as texts of the dtype `dtype`.
DType dtype_of_values(DType dtype, Defaults defaults) {
  if (is_bool(dtype)) return DType::kBool;
  if (is_complex(dtype)) return defaults.complex();
  return is_floating(dtype) ? defaults.floating : DType::kInt64;
}

/// Nested Python lists such as "[[1, 2], [3, 4]]": as many of the texts as the sizes say, from
/// index `first` on.
std::string nested(const Lines& texts, const Dims& sizes, std::size_t dim, std::size_t first) {
  if (dim == sizes.size()) return texts[first];
  const auto count = static_cast<std::size_t>(sizes[dim]);
  std::size_t step = 1;
  for (std::size_t i = dim + 1; i < sizes.size(); ++i) step *= static_cast<std::size_t>(sizes[i]);
  Lines parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back(nested(texts, sizes, dim + 1, first + i * step));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

std::string empty_text(const ShortOperand& tensor, const Dims& sizes, Defaults defaults) {
  return fmt::format("torch.{}({}{}{})", internal::maker_of(tensor),
                     sizes.empty() ? "()" : fmt::format("{}", fmt::join(sizes, ", ")),
                     dtype_argument(tensor.operand->dtype, defaults.floating),
                     tensor.device == Device::kMeta ? ", device=\"meta\"" : "");
}

/// Python text for a tensor made from its bits: for elements without a decimal text.
std::string bits_text(const ShortOperand& tensor, const Dims& sizes) {
  const DType dtype = tensor.operand->dtype;
  const internal::Words words = internal::words_of(dtype, tensor.storage);
  return fmt::format("torch.tensor([{}], dtype=torch.uint{}).view({}){}",
                     fmt::join(words.texts, ", "), 8 * words.bytes, dtype_text(dtype),
                     sizes.size() == 1 ? "" : fmt::format(".reshape({})", tuple_text(sizes)));
}

/// Python text for a tensor of the given sizes that fills its storage.
std::string filled_text(const ShortOperand& tensor, const Dims& sizes, Defaults defaults) {
  const DType dtype = tensor.operand->dtype;
  if (tensor.storage.empty()) return empty_text(tensor, sizes, defaults);
  const Lines texts = internal::spelled_elements(dtype, tensor.storage, Language::kPython);
  if (texts.empty()) return bits_text(tensor, sizes);
  const std::string given = dtype_argument(dtype, dtype_of_values(dtype, defaults));
  if (tensor.is_uniform && dtype != DType::kBComplex32)  // torch.full() cannot make bcomplex32
    return fmt::format("torch.full({}, {}{})", tuple_text(sizes), texts[0], given);
  return fmt::format("torch.tensor({}{})", nested(texts, sizes, 0, 0), given);
}

std::string tensor_text(const ShortOperand& tensor, Defaults defaults) {
  const Operand& operand = *tensor.operand;
  if (tensor.owner.empty() && tensor.is_contiguous)
    return filled_text(tensor, operand.sizes, defaults);
  return fmt::format(
      "{}.as_strided({}, {}, {})",
      tensor.owner.empty() ? filled_text(tensor, {tensor.elements}, defaults) : tensor.owner,
      tuple_text(operand.sizes), tuple_text(tensor.strides), operand.offset);
}

std::string argument_text(const Case& c, const std::vector<ShortOperand>& tensors,
                          const Parameter& parameter, const Operand& operand) {
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      return internal::variable_of(tensors, c, operand);
    case Operand::Tag::kNumber:
      return internal::spelled(operand.number, Language::kPython);
    case Operand::Tag::kDType:
      return dtype_text(operand.dtype);
    case Operand::Tag::kText:
      return parameter.type == ParameterType::kMemoryFormat ? "torch." + operand.text
                                                            : quoted(operand.text);
    default:
      return "None";
  }
}

/// A case's call as Python texts. Tensors and required arguments stand by position, the rest by
/// name.
internal::WrittenCall written_call(const Case& c, const std::vector<ShortOperand>& tensors) {
  internal::WrittenCall written;
  bool by_name = false;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Operand& operand = c.arguments[i];
    const Parameter& parameter = c.schema().parameters[i];
    by_name = by_name || parameter.keyword_only || operand.tag == Operand::Tag::kAbsent ||
              !parameter.default_text.empty();
    if (operand.tag == Operand::Tag::kAbsent) continue;
    const std::string text = argument_text(c, tensors, parameter, operand);
    if (by_name)
      written.named.emplace_back(parameter.name, text);
    else
      written.positional.push_back(text);
    if (operand.tag == Operand::Tag::kTensor) written.tensors.emplace_back(text, &operand);
  }
  for (const int position : {kOutPosition, kSecondOutPosition}) {
    const Operand& out = c.operand(position);
    if (out.tag != Operand::Tag::kTensor) continue;
    written.outs.push_back(internal::variable_of(tensors, c, out));
    written.tensors.emplace_back(written.outs.back(), &out);
  }
  return written;
}

/// Python text for the element of the result that the claim names; it evaluates to a number.
std::string seen_text(const Reproducible& finding, const ValueClaim& claim) {
  const Answer& right = finding.right.answer;
  std::string text = right.further.empty() ? "got" : fmt::format("got[{}]", claim.result);
  const Dims& sizes = claim.result == 0 ? right.sizes : right.further[claim.result - 1].sizes;
  if (numel(sizes) > 1)
    text += fmt::format("{}[{}]", sizes.size() == 1 ? "" : ".flatten()", claim.element);
  text += ".item()";
  if (claim.part == ValueClaim::Part::kReal) text += ".real";
  if (claim.part == ValueClaim::Part::kImaginary) text += ".imag";
  return text;
}

std::string test_text(const std::string& seen, const ValueClaim& claim) {
  switch (claim.test) {
    case ValueClaim::Test::kIsNan:
      return fmt::format("math.isnan({})", seen);
    case ValueClaim::Test::kSign:
      return fmt::format("math.copysign(1, {}) == math.copysign(1, expected)", seen);
    case ValueClaim::Test::kNear:
      return fmt::format("abs({} - expected) <= {}", seen,
                         internal::spelled(Number(claim.tolerance), Language::kPython));
    case ValueClaim::Test::kEqual:
      break;
  }
  return seen + " == expected";
}

/// The Python lines for a call that answers wrongly: the expected value, the actual value, and the
/// assertion.
Lines compared(const std::string& call, const std::string& expected, const std::string& origin,
               const std::string& seen, const std::string& test) {
  Lines lines{"got = " + call};
  for (std::string& line : internal::with_comment("expected = " + expected, origin, "#"))
    lines.push_back(std::move(line));
  lines.push_back(fmt::format("print(\"got\", {}, \"expected\", expected)", seen));
  lines.push_back("assert " + test);
  return lines;
}

Lines of_values(const Reproducible& finding, const std::string& call) {
  const std::string witness = internal::origin_of(finding, false);
  if (finding.c.schema().returns == "bool")
    return compared(call, finding.right.answer.bytes.at(0) != std::byte{0} ? "True" : "False",
                    witness, "got", "got == expected");
  const ValueClaim claim = internal::value_claim(finding);
  const std::string seen = seen_text(finding, claim);
  return compared(call, internal::spelled(claim.expected, Language::kPython),
                  internal::origin_of(finding, claim.is_exact), seen, test_text(seen, claim));
}

Lines of_properties(const Reproducible& finding, const std::string& call) {
  const Answer& right = finding.right.answer;
  const bool is_dtype = finding.code == VerdictCode::kDifferDType;
  const bool is_shape = finding.code == VerdictCode::kDifferShape;
  const std::string seen = is_dtype   ? right.tag == Answer::Tag::kDType ? "got" : "got.dtype"
                           : is_shape ? "tuple(got.shape)"
                                      : "got.stride()";
  const std::string expected = is_dtype   ? dtype_text(right.dtype)
                               : is_shape ? tuple_text(right.sizes)
                                          : tuple_text(right.strides);
  return compared(call, expected, internal::origin_of(finding, false), seen, seen + " == expected");
}

/// The Python lines for a call that must raise and does not.
Lines of_acceptance(const Reproducible& finding, const std::string& call) {
  Lines lines{"try:", fmt::format("    print(\"got\", {})", call), "except RuntimeError:"};
  for (std::string& line :
       internal::with_comment("    pass", "expected: " + internal::origin_of(finding, false), "#"))
    lines.push_back(std::move(line));
  lines.emplace_back("else:");
  lines.emplace_back("    raise AssertionError(\"expected: the call raises\")");
  return lines;
}

/// The Python lines for a call that must answer, and raises or ends the process.
Lines of_failure(const Reproducible& finding, const std::string& call) {
  Lines lines = internal::comment("expected: " + internal::expected_words_of(finding), "#", 2);
  for (std::string& line : internal::comment("got: " + internal::failure_of(finding), "#", 2))
    lines.push_back(std::move(line));
  if (finding.code == VerdictCode::kTimeout)
    lines.push_back(fmt::format("signal.alarm({})", static_cast<int>(finding.time_limit)));
  lines.push_back(fmt::format("print({})", call));
  return lines;
}

Lines judged(const Reproducible& finding, const std::string& call) {
  switch (finding.code) {
    case VerdictCode::kDifferAccepts:
    case VerdictCode::kDifferRefusal:
      return finding.right.answer.tag == Answer::Tag::kRefusal ? of_acceptance(finding, call)
                                                               : of_failure(finding, call);
    case VerdictCode::kCrash:
    case VerdictCode::kTimeout:
      return of_failure(finding, call);
    case VerdictCode::kDifferValue:
      return of_values(finding, call);
    default:
      return of_properties(finding, call);
  }
}

bool uses(const Lines& lines, std::string_view name) {
  for (const std::string& line : lines)
    if (!line.starts_with('#') && line.find(name) != line.npos) return true;
  return false;
}

/// The import lines of a Python program.
Lines imports(const Reproducible& finding, const Lines& body) {
  Lines lines;
  if (uses(body, "math.")) lines.emplace_back("import math");
  if (uses(body, "signal.")) lines.emplace_back("import signal");
  if (internal::sets_capability(finding)) {
    lines.insert(lines.begin(), "import os");
    lines.push_back(
        fmt::format("os.environ[\"ATEN_CPU_CAPABILITY\"] = {}  # before torch is imported",
                    quoted(finding.capability)));
  }
  lines.emplace_back("import torch");
  if (uses(body, "F.")) lines.emplace_back("import torch.nn.functional as F");
  if (finding.sets.onednn)
    lines.push_back(
        fmt::format("torch.backends.mkldnn.set_flags({})", finding.has_onednn ? "True" : "False"));
  if (finding.c.defaults.floating != DType::kFloat32)
    lines.push_back(
        fmt::format("torch.set_default_dtype({})", dtype_text(finding.c.defaults.floating)));
  return lines;
}

/// Puts a program together: as much of the title as kShortLines leaves room for, the imports, an
/// empty line if there is room, the body.
std::string laid_out(const std::string& title, const Lines& imports, const Lines& body) {
  const std::size_t lines = imports.size() + body.size();
  const std::size_t room = kShortLines > lines ? kShortLines - lines : 1;
  const Lines head = internal::comment(title, "#", std::min<std::size_t>(room, 3));
  return fmt::format("{}\n{}\n{}{}\n", fmt::join(head, "\n"), fmt::join(imports, "\n"),
                     head.size() < room ? "\n" : "", fmt::join(body, "\n"));
}

}  // namespace

ShortProgram short_python(const Reproducible& finding) {
  const Case& c = finding.c;
  const std::vector<ShortOperand> tensors = internal::short_operands(finding);
  if (std::string why = internal::why_not_short(finding, tensors); !why.empty())
    return {.text = "", .why_not = std::move(why)};
  if (!finding.python.empty())
    return {.text = "", .why_not = "Python cannot show it: " + visible(finding.python)};
  if (std::string why = why_not_in_python(c); !why.empty())
    return {.text = "", .why_not = std::move(why)};
  const internal::WrittenCall written = written_call(c, tensors);
  std::string call = internal::public_call(c, written);
  if (call.empty()) call = internal::operator_call(c, written);
  if (call.empty())
    return {.text = "", .why_not = "no public function calls " + std::string(c.callable())};
  Lines body;
  for (const ShortOperand& tensor : tensors)
    body.push_back(fmt::format("{} = {}", tensor.name, tensor_text(tensor, c.defaults)));
  for (std::string& line : judged(finding, call)) body.push_back(std::move(line));
  return {.text = laid_out(internal::title_of(finding), imports(finding, body), body),
          .why_not = ""};
}

}  // namespace upcast::fuzz
