// Writes a program that calls a plug-in through its C ABI, with the right answer next to the
// plug-in's.
#include <fmt/format.h>

#include "cases/operands.h"
#include "cases/visible.h"
#include "fuzz/findings/literals.h"
#include "fuzz/findings/prelude.h"
#include "fuzz/findings/reproducer.h"
#include "impl/tensor/tensor.h"
#include "oracle/plugin/dlpack_dtype.h"

namespace upcast::fuzz {

/// The text of plugin_prelude.cpp.in, which CMake embeds.
extern const char kPluginPrelude[];

namespace {

using internal::dims_text;
using internal::float64_text;
using internal::number_text;
using internal::quoted;
using internal::TensorPart;

std::string type_text(DType dtype) {
  const DLDataType type = to_dlpack(dtype);
  if (type.code == UPCAST_TYPE_C10)
    return fmt::format("DLDataType{{{}, {}, {}}}", type.code, type.bits, type.lanes);
  return fmt::format("type(\"{}\")", name(dtype));
}

std::string storage_of(const TensorPart& part) {
  return (part.owner.empty() ? part.name : part.owner) + "_storage";
}

/// The lines of a program that make storages, then tensors. Tensors that share storage view the
/// same one.
std::string tensors_text(const std::vector<TensorPart>& parts, bool infers) {
  std::string text;
  for (const TensorPart& part : parts) {
    const Operand& operand = *part.operand;
    if (!infers && part.owner.empty())
      text += fmt::format("  Storage {} = storage({}, {});{}\n", storage_of(part),
                          part.elements * itemsize(operand.dtype), quoted(part.hex),
                          part.values.empty() ? "" : "  // " + part.values);
    const Dims strides =
        operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
    text += fmt::format("  const Tensor {}_tensor({}, {}, {}, {}, {});\n", part.name,
                        type_text(operand.dtype), dims_text(operand.sizes), dims_text(strides),
                        operand.offset, infers ? "nullptr" : "&" + storage_of(part));
  }
  return text;
}

std::string argument_text(const Parameter& parameter, const Operand& operand,
                          const std::string& variable, bool written) {
  const std::string parameter_name = quoted(parameter.name);
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      return fmt::format("tensor({}, {}_tensor, {})", parameter_name, variable,
                         written ? "0" : "UPCAST_READ_ONLY");
    case Operand::Tag::kNumber:
      return fmt::format("number({}, {}, {})", parameter_name,
                         number_text(operand.number, "{}, {}"),
                         is_tensor(parameter) ? "UPCAST_WRAPPED" : "0");
    case Operand::Tag::kDType:
      return fmt::format("dtype_itself({}, {})", parameter_name, type_text(operand.dtype));
    case Operand::Tag::kText:
      return fmt::format("text({}, {})", parameter_name, quoted(operand.text));
    case Operand::Tag::kUndefined:
      return fmt::format("argument({}, UPCAST_UNDEFINED)", parameter_name);
    case Operand::Tag::kNone:
      return fmt::format("argument({}, UPCAST_NONE)", parameter_name);
    case Operand::Tag::kAbsent:
      break;
  }
  return fmt::format("argument({})", parameter_name);
}

const char* form_text(Form form) {
  return form == Form::kOut       ? "UPCAST_OUT"
         : form == Form::kInPlace ? "UPCAST_IN_PLACE"
                                  : "UPCAST_FUNCTIONAL";
}

/// The lines of a program that make the call in a variable named `call`.
std::string call_text(const Reproducible& finding, const std::vector<TensorPart>& parts) {
  const Case& c = finding.c;
  const Schema& schema = c.schema();
  std::string text = "  const UpcastArgument arguments[] = {\n";
  const int written = c.form == Form::kInPlace ? written_position(c) : -1;
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    text += fmt::format("      {},\n", argument_text(schema.parameters[i], c.arguments[i],
                                                     internal::variable_of(parts, c.arguments[i]),
                                                     static_cast<int>(i) == written));
  text +=
      "  };\n  std::vector<const UpcastArgument*> pointers;\n"
      "  for (const UpcastArgument& each : arguments) pointers.push_back(&each);\n";
  for (const int position : {kOutPosition, kSecondOutPosition})
    if (const std::string out = internal::variable_of(parts, c.operand(position)); !out.empty())
      text += fmt::format("  const UpcastArgument {0}_argument = tensor(\"{0}\", {0}_tensor, 0);\n",
                          out);
  text += fmt::format(
      "  UpcastOp op{{}};\n  op.size = sizeof op;\n  op.form = {};\n  op.name = {};\n"
      "  op.overload = {};\n  op.callable = {};\n  op.schema = {};\n",
      form_text(c.form), quoted(schema.name), quoted(schema.overload), quoted(c.callable()),
      quoted(schema.text));
  text += fmt::format(
      "  UpcastCall call{{}};\n  call.size = sizeof call;\n  call.argument_count = {};\n"
      "  call.op = &op;\n  call.arguments = pointers.data();\n  call.default_dtype = {};\n",
      c.arguments.size(), type_text(c.defaults.floating));
  for (const int position : {kOutPosition, kSecondOutPosition})
    if (const std::string out = internal::variable_of(parts, c.operand(position)); !out.empty())
      text += fmt::format("  call.{0} = &{0}_argument;\n", out);
  return text;
}

std::string expected_text(const Reproducible& finding) {
  std::string text;
  const std::vector<internal::ExpectedPart> parts = internal::expected_parts(finding);
  for (const internal::ExpectedPart& part : parts) {
    std::string elements;
    for (const internal::ElementPart& element : part.elements)
      elements += fmt::format("{}{{{}, {}, {}}}", elements.empty() ? "" : ", ", element.index,
                              quoted(element.right), float64_text(element.tolerance));
    text +=
        fmt::format("{}{{{}, {}, {}, {}, {{{}}}}}", text.empty() ? "" : ", ", type_text(part.dtype),
                    dims_text(part.sizes), dims_text(part.strides), part.has_strides, elements);
  }
  return "{" + text + "}";
}

constexpr std::string_view kBuild =
    "// Build, with U the folder where upcast is installed (U/include/upcast; DLPack's header is "
    "Debian's libdlpack-dev):\n"
    "//   g++ -std=c++17 reproduce.cc -I$U/include -ldl -o reproduce && ./reproduce\n";

}  // namespace

std::string internal::plugin_program(const Reproducible& finding) {
  const Answer& right = finding.right.answer;
  const std::vector<TensorPart> parts = tensor_parts(finding);
  const bool infers = finding.callee.infers;
  std::string program = "int reproduce() {\n";
  program += fmt::format("  const UpcastPlugin* const plugin = load({}, {});\n",
                         quoted(finding.callee.target), quoted(finding.callee.settings));
  program += tensors_text(parts, infers) + call_text(finding, parts);
  program += fmt::format(
      "  return compare(ask(plugin, call, {}), {}, {},\n                 {}, {}, {});\n}}\n\n",
      infers, quoted(finding.reference), quoted(expected_words(finding)),
      right.tag == Answer::Tag::kRefusal, right.tag == Answer::Tag::kDType, expected_text(finding));
  const bool may_die = finding.code == VerdictCode::kCrash || finding.code == VerdictCode::kTimeout;
  program += may_die ? fmt::format("int main() {{ return survives(reproduce, {}); }}\n",
                                   std::max(1, static_cast<int>(finding.time_limit)))
                     : "int main() { return reproduce(); }\n";
  std::string text;
  for (const std::string& line : head_lines(finding)) text += "// " + line + "\n";
  text += fmt::format(
      "// Exit code: 1 the plug-in differs, 0 its answer is that of {}, 2 it cannot be asked.\n",
      visible(finding.reference));
  return text + std::string(kBuild) + prelude_for(program, kPluginPrelude, "//@") + "\n" + program;
}

}  // namespace upcast::fuzz
