#include <fmt/format.h>

#include <algorithm>

#include "cases/operands.h"
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

std::string dtype_text(DType dtype) {
  if (dtype == DType::kUInt8) return "torch::kUInt8";
  const bool is_standard = is_integral(dtype) || dtype == DType::kFloat16 ||
                           dtype == DType::kFloat32 || dtype == DType::kFloat64;
  std::string python(name(dtype));
  if (!is_standard || group(dtype) == Group::kBarebonesUnsigned)
    return "torch::k" + std::string(info(dtype).c10_name);
  python[0] = static_cast<char>(std::toupper(python[0]));
  return "torch::k" + python;
}

std::string dims_text(const Dims& dims) { return fmt::format("{{{}}}", fmt::join(dims, ", ")); }

std::string empty_text(const ShortOperand& tensor, const Dims& sizes) {
  const std::string dtype = dtype_text(tensor.operand->dtype);
  return fmt::format("torch::{}({}, {})", internal::maker_of(tensor), dims_text(sizes),
                     tensor.device == Device::kMeta
                         ? fmt::format("torch::dtype({}).device(torch::kMeta)", dtype)
                         : dtype);
}

/// C++ text for a tensor made from its bits: for elements without a decimal text. torch::tensor
/// takes no unsigned integers.
std::string bits_text(const ShortOperand& tensor) {
  const DType dtype = tensor.operand->dtype;
  const internal::Words words = internal::words_of(dtype, tensor.storage);
  Lines texts = words.texts;
  for (std::string& text : texts) text = fmt::format("int64_t({})", text);
  const std::string narrow =
      words.bytes == 8
          ? ""
          : fmt::format(".to(torch::k{})",
                        words.bytes == 1 ? "UInt8" : fmt::format("Int{}", 8 * words.bytes));
  return fmt::format("torch::tensor({{{}}}, torch::kInt64){}.view({})", fmt::join(texts, ", "),
                     narrow, dtype_text(dtype));
}

/// Writes all elements in one C++ type, which torch::tensor requires.
void give_one_type(Lines& texts) {
  const bool has_long = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.ends_with('L') || text == "INT64_MIN";
  });
  if (!has_long) return;
  for (std::string& text : texts)
    if (text == "INT32_MIN")
      text = "int64_t(INT32_MIN)";
    else if (!text.ends_with('L') && text != "INT64_MIN")
      text += 'L';
}

/// C++ text for a tensor of the given sizes that fills its storage.
std::string filled_text(const ShortOperand& tensor, const Dims& sizes) {
  const DType dtype = tensor.operand->dtype;
  if (tensor.storage.empty()) return empty_text(tensor, sizes);
  Lines texts = internal::spelled_elements(dtype, tensor.storage, Language::kCpp);
  const bool has_text =
      !texts.empty() && std::none_of(texts.begin(), texts.end(),
                                     [](const std::string& text) { return text.ends_with("UL"); });
  // torch::full cannot make a tensor of bcomplex32.
  const bool is_filled = dtype != DType::kBComplex32;
  if (has_text && is_filled && tensor.is_uniform)
    return fmt::format("torch::full({}, {}, {})", dims_text(sizes), texts[0], dtype_text(dtype));
  if (has_text && is_filled && sizes.empty())
    return fmt::format("torch::tensor({}, {})", texts[0], dtype_text(dtype));
  give_one_type(texts);
  std::string text =
      !has_text ? bits_text(tensor)
      : is_filled
          ? fmt::format("torch::tensor({{{}}}, {})", fmt::join(texts, ", "), dtype_text(dtype))
          : fmt::format("torch::tensor({{{}}}, torch::kComplexDouble).to({})",
                        fmt::join(texts, ", "), dtype_text(dtype));
  return sizes.size() == 1 ? text : text + fmt::format(".reshape({})", dims_text(sizes));
}

std::string tensor_text(const ShortOperand& tensor) {
  const Operand& operand = *tensor.operand;
  if (tensor.owner.empty() && tensor.is_contiguous) return filled_text(tensor, operand.sizes);
  return fmt::format("{}.as_strided({}, {}, {})",
                     tensor.owner.empty() ? filled_text(tensor, {tensor.elements}) : tensor.owner,
                     dims_text(operand.sizes), dims_text(tensor.strides), operand.offset);
}

std::string memory_format_text(const std::string& name) {
  return fmt::format("at::MemoryFormat::{}", name == "channels_last"     ? "ChannelsLast"
                                             : name == "preserve_format" ? "Preserve"
                                                                         : "Contiguous");
}

/// C++ text for None as an argument. Its type selects the overload.
std::string nothing_text(ParameterType type) {
  switch (type) {
    case ParameterType::kOptionalTensor:
      return "std::optional<at::Tensor>()";
    case ParameterType::kOptionalScalar:
      return "std::optional<at::Scalar>()";
    case ParameterType::kTensor:
      return "at::Tensor()";
    default:
      return "std::nullopt";
  }
}

/// C++ text for a parameter's default. C++ needs it if a later argument is given.
std::string default_text(const Parameter& parameter) {
  const std::string text(parameter.default_text);
  if (text == "None") return nothing_text(parameter.type);
  if (text == "True" || text == "False") return text == "True" ? "true" : "false";
  if (text == "Mean") return "at::Reduction::Mean";
  if (text.starts_with('\'')) return quoted(text.substr(1, text.size() - 2));
  return text;
}

std::string argument_text(const Case& c, const std::vector<ShortOperand>& tensors,
                          const Parameter& parameter, const Operand& operand) {
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      return internal::variable_of(tensors, c, operand);
    case Operand::Tag::kNumber: {
      const std::string text = internal::spelled(operand.number, Language::kCpp);
      // C++ text for a number in a tensor's place. As when Python passes it, its dtype yields to
      // those of tensors.
      return is_tensor(parameter) ? fmt::format("at::native::wrapped_scalar_tensor({})", text)
                                  : text;
    }
    case Operand::Tag::kDType:
      return dtype_text(operand.dtype);
    case Operand::Tag::kText:
      return parameter.type == ParameterType::kMemoryFormat ? memory_format_text(operand.text)
                                                            : quoted(operand.text);
    case Operand::Tag::kAbsent:
      return default_text(parameter);
    default:
      return nothing_text(parameter.type);
  }
}

/// C++ text of a call, with all arguments by position: at::add(x, y), x.add_(y), at::add_out(out,
/// x, y).
std::string call_text(const Case& c, const std::vector<ShortOperand>& tensors) {
  std::size_t given = c.arguments.size();
  while (given > 0 && c.arguments[given - 1].tag == Operand::Tag::kAbsent) --given;
  Lines arguments;
  std::string name = internal::operator_name(c).first;
  for (const int position : {kOutPosition, kSecondOutPosition})
    if (c.operand(position).tag == Operand::Tag::kTensor)
      arguments.push_back(internal::variable_of(tensors, c, c.operand(position)));
  if (!arguments.empty()) name += "_out";
  for (std::size_t i = 0; i < given; ++i)
    arguments.push_back(argument_text(c, tensors, c.schema().parameters[i], c.arguments[i]));
  if (c.form != Form::kInPlace || !internal::is_method(name))
    return fmt::format("at::{}({})", name, fmt::join(arguments, ", "));
  const Lines rest(arguments.begin() + 1, arguments.end());
  return fmt::format("{}.{}({})", arguments[0], name, fmt::join(rest, ", "));
}

/// The C++ type in which Tensor.item<T>() gives an element.
std::string item_type(DType dtype) {
  if (is_complex(dtype)) return "c10::complex<double>";
  if (is_floating(dtype)) return "double";
  return is_bool(dtype) ? "bool" : "int64_t";
}

/// C++ text for the element of the result that the claim names, such as "std::get<1>(call)[2]".
std::string seen_text(const Reproducible& finding, const std::string& call,
                      const ValueClaim& claim) {
  const Answer& right = finding.right.answer;
  const Answer& result = claim.result == 0 ? right : right.further[claim.result - 1];
  std::string text =
      right.further.empty() ? call : fmt::format("std::get<{}>({})", claim.result, call);
  if (numel(result.sizes) > 1)
    text += fmt::format("{}[{}]", result.sizes.size() == 1 ? "" : ".flatten()", claim.element);
  text += result.dtype == DType::kUInt64 ? ".item().toUInt64()"
                                         : fmt::format(".item<{}>()", item_type(result.dtype));
  if (claim.part == ValueClaim::Part::kReal) text += ".real()";
  if (claim.part == ValueClaim::Part::kImaginary) text += ".imag()";
  return text;
}

/// C++ text of the condition that is true if the claim's element is as expected.
std::string test_text(const ValueClaim& claim) {
  switch (claim.test) {
    case ValueClaim::Test::kIsNan:
      return "std::isnan(got)";
    case ValueClaim::Test::kSign:
      return "std::signbit(got) == std::signbit(expected)";
    case ValueClaim::Test::kNear:
      return fmt::format("std::abs(got - expected) <= {}",
                         internal::spelled(Number(claim.tolerance), Language::kCpp));
    case ValueClaim::Test::kEqual:
      break;
  }
  return "got == expected";
}

Lines compared(const std::string& got, const std::string& expected, const std::string& origin,
               const std::string& test) {
  Lines lines{fmt::format("  const auto got = {};", got)};
  for (std::string& line :
       internal::with_comment(fmt::format("  const auto expected = {};", expected), origin, "//"))
    lines.push_back(std::move(line));
  lines.emplace_back(
      "  std::cout << std::setprecision(17) << \"got \" << got << \", expected \" << expected << "
      "'\\n';");
  lines.push_back(fmt::format("  return {} ? 0 : 1;", test));
  return lines;
}

Lines of_values(const Reproducible& finding, const std::string& call) {
  if (finding.c.schema().returns == "bool")
    return compared(call, finding.right.answer.bytes.at(0) != std::byte{0} ? "true" : "false",
                    internal::origin_of(finding, false), "got == expected");
  const ValueClaim claim = internal::value_claim(finding);
  return compared(seen_text(finding, call, claim),
                  internal::spelled(claim.expected, Language::kCpp),
                  internal::origin_of(finding, claim.is_exact), test_text(claim));
}

Lines of_properties(const Reproducible& finding, const std::string& call) {
  const Answer& right = finding.right.answer;
  const std::string origin = internal::origin_of(finding, false);
  if (finding.code == VerdictCode::kDifferDType)
    return compared(right.tag == Answer::Tag::kDType ? call : call + ".scalar_type()",
                    dtype_text(right.dtype), origin, "got == expected");
  const bool is_shape = finding.code == VerdictCode::kDifferShape;
  return compared(fmt::format("c10::str({}.{})", call, is_shape ? "sizes()" : "strides()"),
                  fmt::format("\"[{}]\"", fmt::join(is_shape ? right.sizes : right.strides, ", ")),
                  origin, "got == expected");
}

/// C++ text of what a program prints for an answer. A meta tensor has no values to print.
std::string shown_text(const Reproducible& finding, const std::string& call) {
  const bool is_refusal = finding.right.answer.tag == Answer::Tag::kRefusal;
  const Answer& answer = is_refusal ? finding.wrong.answer : finding.right.answer;
  const std::string text = answer.further.empty() ? call : fmt::format("std::get<0>({})", call);
  return finding.device == Device::kMeta && answer.tag == Answer::Tag::kTensor ? text + ".sizes()"
                                                                               : text;
}

/// The C++ lines for a refusal: for a call that must raise and does not, or one that raises and
/// must not.
Lines of_refusal(const Reproducible& finding, const std::string& call, bool is_expected) {
  Lines lines{"  try {",
              fmt::format("    std::cout << \"got \" << {} << '\\n';", shown_text(finding, call)),
              fmt::format("    return {};", is_expected ? 1 : 0),
              "  } catch (const std::exception& error) {",
              "    std::cout << error.what() << '\\n';",
              fmt::format("    return {};", is_expected ? 0 : 1),
              "  }"};
  const std::string origin =
      is_expected ? "; " + internal::origin_of(finding, false) : std::string();
  Lines head =
      internal::comment("expected: " + internal::expected_words_of(finding) + origin, "  //", 2);
  head.insert(head.end(), lines.begin(), lines.end());
  return head;
}

/// The C++ lines for a call that ends or hangs the process.
Lines of_death(const Reproducible& finding, const std::string& call) {
  Lines lines = internal::comment("expected: " + internal::expected_words_of(finding), "  //", 2);
  for (std::string& line : internal::comment("got: " + internal::failure_of(finding), "  //", 2))
    lines.push_back(std::move(line));
  if (finding.code == VerdictCode::kTimeout)
    lines.push_back(fmt::format("  alarm({});", static_cast<int>(finding.time_limit)));
  lines.push_back(
      fmt::format("  std::cout << \"got \" << {} << '\\n';", shown_text(finding, call)));
  lines.emplace_back("  return 0;");
  return lines;
}

Lines judged(const Reproducible& finding, const std::string& call) {
  switch (finding.code) {
    case VerdictCode::kDifferAccepts:
    case VerdictCode::kDifferRefusal:
      return of_refusal(finding, call, finding.right.answer.tag == Answer::Tag::kRefusal);
    case VerdictCode::kCrash:
    case VerdictCode::kTimeout:
      return of_death(finding, call);
    case VerdictCode::kDifferValue:
      return of_values(finding, call);
    default:
      return of_properties(finding, call);
  }
}

/// The C++ lines that set LibTorch up before its first call.
Lines settings(const Reproducible& finding) {
  Lines lines;
  if (internal::sets_capability(finding))
    lines.push_back(
        fmt::format("  setenv(\"ATEN_CPU_CAPABILITY\", {}, 1);", quoted(finding.capability)));
  if (finding.sets.onednn)
    lines.push_back(
        fmt::format("  at::globalContext().setUserEnabledMkldnn({});", finding.has_onednn));
  if (finding.c.defaults.floating != DType::kFloat32)
    lines.push_back(fmt::format("  c10::set_default_dtype(c10::scalarTypeToTypeMeta({}));",
                                dtype_text(finding.c.defaults.floating)));
  return lines;
}

}  // namespace

ShortProgram short_cpp(const Reproducible& finding) {
  const Case& c = finding.c;
  const std::vector<ShortOperand> tensors = internal::short_operands(finding);
  if (std::string why = internal::why_not_short(finding, tensors); !why.empty())
    return {.text = "", .why_not = std::move(why)};
  Lines lines = internal::comment(internal::title_of(finding), "//", 3);
  lines.push_back(internal::build_comment("short.cc", "short"));
  lines.insert(lines.end(), {"#include <torch/torch.h>", ""});
  if (finding.code == VerdictCode::kTimeout) lines.insert(lines.end() - 1, "#include <unistd.h>");
  lines.insert(lines.end() - 1, {"#include <iomanip>", "#include <iostream>"});
  lines.emplace_back("int main() {");
  const auto add = [&lines](const Lines& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  add(settings(finding));
  for (const ShortOperand& tensor : tensors)
    lines.push_back(fmt::format("  auto {} = {};", tensor.name, tensor_text(tensor)));
  add(judged(finding, call_text(c, tensors)));
  lines.emplace_back("}");
  return {.text = fmt::format("{}\n", fmt::join(lines, "\n")), .why_not = ""};
}

}  // namespace upcast::fuzz
