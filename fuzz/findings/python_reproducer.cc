#include <fmt/format.h>

#include <cmath>

#include "cases/literal.h"
#include "cases/notation.h"
#include "cases/visible.h"
#include "fuzz/findings/literals.h"
#include "fuzz/findings/prelude.h"
#include "fuzz/findings/reproducer.h"
#include "impl/core/error.h"

namespace upcast::fuzz {
namespace {

using internal::quoted;
using internal::TensorPart;
using internal::variable_of;

std::string dtype_text(DType dtype) { return "torch." + std::string(name(dtype)); }

std::string dims_text(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ", ")); }

/// A float64 in Python: a plain decimal if it is finite, else a call with its bits.
std::string float64_text(double value) {
  return std::isfinite(value) ? print_number(Number(value)) : internal::float64_text(value);
}

std::string number_text(const Number& number) {
  return number.visit([](auto value) -> std::string {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, bool>)
      return value ? "True" : "False";
    else if constexpr (std::is_integral_v<T>)
      return fmt::format("{}", value);
    else if constexpr (kIsComplex<T>)
      return fmt::format("complex({}, {})", float64_text(value.re), float64_text(value.im));
    else
      return float64_text(value);
  });
}

std::string argument_text(const Parameter& parameter, const Operand& operand,
                          const std::string& variable) {
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      return variable;
    case Operand::Tag::kNumber:
      return number_text(operand.number);
    case Operand::Tag::kDType:
      return dtype_text(operand.dtype);
    case Operand::Tag::kText:
      return parameter.type == ParameterType::kMemoryFormat ? "torch." + operand.text
                                                            : quoted(operand.text);
    case Operand::Tag::kUndefined:
    case Operand::Tag::kNone:
    case Operand::Tag::kAbsent:
      break;
  }
  return "None";
}

std::string tensor_text(const TensorPart& part, std::string_view device) {
  const Operand& operand = *part.operand;
  const Dims strides =
      operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
  if (!part.owner.empty())
    return part.is_owner
               ? fmt::format("    {} = {}\n", part.name, part.owner)
               : fmt::format("    {} = {}.as_strided({}, {}, {})\n", part.name, part.owner,
                             dims_text(operand.sizes), dims_text(strides), operand.offset);
  const bool whole =
      operand.strides.empty() && operand.offset == 0 && part.elements == numel(operand.sizes);
  std::string text;
  const bool is_elsewhere =
      device != "cpu" && part.device == Device::kCpu && !operand.device.has_value();
  if (whole && part.device == Device::kCpu && !part.hex.empty())
    text = fmt::format("    {} = tensor({}, {}, {})", part.name, dtype_text(operand.dtype),
                       dims_text(operand.sizes), quoted(part.hex));
  else
    text = fmt::format("    {} = laid_out({}, {}, {}, {}, {}, {}, {})", part.name,
                       dtype_text(operand.dtype),
                       quoted(part.device == Device::kMeta   ? "meta"
                              : part.device == Device::kCuda ? "cuda"
                                                             : "cpu"),
                       dims_text(operand.sizes), whole ? "None" : dims_text(strides),
                       operand.offset, part.elements, quoted(part.hex));
  if (is_elsewhere) text += fmt::format(".to({})", quoted(device));
  return text + (part.values.empty() ? "\n" : "  # " + part.values + "\n");
}

/// The text of a call to a kernel of a Python module: the schema's arguments by position,
/// attributes by name.
std::string kernel_call_text(const Reproducible& finding, const std::vector<TensorPart>& tensors) {
  const Case& c = finding.c;
  std::string arguments;
  bool by_name = false;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    if (c.arguments[i].tag == Operand::Tag::kAbsent) continue;
    const Parameter& parameter = c.schema().parameters[i];
    by_name = by_name || !stands_by_position(parameter);
    arguments += fmt::format(
        "{}{}{}", arguments.empty() ? "" : ", ", by_name ? std::string(parameter.name) + "=" : "",
        argument_text(parameter, c.arguments[i], variable_of(tensors, c.arguments[i])));
  }
  for (const int position : {kOutPosition, kSecondOutPosition})
    if (const std::string out = variable_of(tensors, c.operand(position)); !out.empty())
      arguments += fmt::format(", {0}={0}", out);
  return fmt::format("kernel({}, {})({})", quoted(finding.callee.kernels), quoted(c.callable()),
                     arguments);
}

std::string call_text(const Reproducible& finding, const std::vector<TensorPart>& tensors) {
  if (!finding.callee.kernels.empty()) return kernel_call_text(finding, tensors);
  const auto [name, overload] = internal::operator_name(finding.c);
  const Case& c = finding.c;
  std::string arguments;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    if (c.arguments[i].tag == Operand::Tag::kAbsent) continue;
    const Parameter& parameter = c.schema().parameters[i];
    arguments +=
        fmt::format(", {}={}", parameter.name,
                    argument_text(parameter, c.arguments[i], variable_of(tensors, c.arguments[i])));
  }
  std::string outs;
  for (const int position : {kOutPosition, kSecondOutPosition})
    if (const std::string out = variable_of(tensors, c.operand(position)); !out.empty())
      outs += out + ", ";
  const std::string op = fmt::format("aten.{}.{}", name, overload.empty() ? "default" : overload);
  if (outs.empty() && !internal::needs_another_overload(c))
    return fmt::format("{}({})", op, arguments.substr(std::min<std::size_t>(2, arguments.size())));
  return fmt::format("call({}{}{})", op, outs.empty() ? "" : ", (" + outs + ")", arguments);
}

std::string elements_text(const Reproducible& finding) {
  std::string text;
  for (const internal::ElementPart& part : internal::element_parts(finding))
    text += fmt::format("{}({}, {}, {}, {}, {}, {}, {})", text.empty() ? "" : ", ", part.result,
                        part.index, quoted(part.right), quoted(part.right_text), quoted(part.wrong),
                        quoted(part.wrong_text), float64_text(part.tolerance));
  return text;
}

std::string judge_text(const Reproducible& finding, const std::string& call) {
  const Answer& right = finding.right.answer;
  const std::string attempt = "attempt(lambda: " + call + ")";
  const std::string what = quoted(finding.right.text().substr(0, 200));
  switch (finding.code) {
    case VerdictCode::kCrash:
    case VerdictCode::kTimeout:
      return fmt::format("judge_survival(lambda: {}, {}, {})", call,
                         static_cast<int>(finding.time_limit), what);
    case VerdictCode::kDifferRefusal:
    case VerdictCode::kDifferAccepts:
      return fmt::format("judge_refusal({}, {}, {})", attempt,
                         right.tag == Answer::Tag::kRefusal ? "True" : "False", what);
    case VerdictCode::kDifferDType:
      return fmt::format("judge_dtype({}, {})", attempt, dtype_text(right.dtype));
    case VerdictCode::kDifferShape:
      return fmt::format("judge_shape({}, {})", attempt, dims_text(right.sizes));
    case VerdictCode::kDifferStrides:
      return fmt::format("judge_strides({}, {})", attempt, dims_text(right.strides));
    default:
      break;
  }
  if (finding.c.schema().returns == "bool")
    return fmt::format("judge_value({}, {})", attempt,
                       right.bytes.at(0) != std::byte{0} ? "True" : "False");
  return fmt::format("judge_values({}, {}, [{}])", attempt, dtype_text(right.dtype),
                     elements_text(finding));
}

/// The first lines of a Python program for torch and the modules that it imports. The program
/// prints the right answer next to torch's.
std::string start_text(const Reproducible& finding) {
  std::string modules;
  for (const std::string& module : finding.callee.imports) modules += quoted(module) + ", ";
  return fmt::format("start_on({}, [{}], {})", quoted(finding.callee.target), modules,
                     quoted(finding.reference + " gives " + internal::expected_words(finding)));
}

std::string body(const Reproducible& finding, const std::string& function) {
  std::string text;
  for (const std::string& line : internal::head_lines(finding)) text += "# " + line + "\n";
  if (!finding.python.empty()) text += "# Python cannot show it: " + visible(finding.python) + "\n";
  const bool is_libtorch = finding.callee.kind == Callee::Kind::kLibTorch;
  text += fmt::format(
      "def {}():\n    {}\n", function,
      is_libtorch ? fmt::format("start({})", quoted(finding.capability)) : start_text(finding));
  if (finding.has_onednn) text += "    torch._C._set_mkldnn_enabled(True)\n";
  if (finding.c.defaults.floating != DType::kFloat32)
    text +=
        fmt::format("    torch.set_default_dtype({})\n", dtype_text(finding.c.defaults.floating));
  const std::vector<TensorPart> tensors = internal::tensor_parts(finding);
  const std::string device = is_libtorch ? "cpu" : finding.callee.target;
  for (const TensorPart& part : tensors) text += tensor_text(part, device);
  return text + "    return " + judge_text(finding, call_text(finding, tensors)) + "\n";
}

constexpr std::string_view kMark = "#@";
constexpr std::string_view kLastOfHead = "aten = torch.ops.aten\n";

}  // namespace

/// The text of prelude.py.in, which CMake embeds.
extern const char kPythonPrelude[];

std::string python_reproducer(const Reproducible& finding) {
  check(why_not_in_python(finding.callee).empty(), "the callee has a program in Python");
  if (finding.callee.kind == Callee::Kind::kProcess) return internal::process_program(finding);
  const std::string function = body(finding, "reproduce");
  const std::string start = "sys.exit(exit_code_of(reproduce))\n";
  std::string text = internal::prelude_for(function + start, kPythonPrelude, kMark);
  // The program's call stands before its helper functions, since the reader looks for it.
  const std::size_t helpers = text.find(kLastOfHead) + kLastOfHead.size();
  text.insert(helpers, "\n\n" + function);
  return text + "\n\n" + start;
}

std::string python_reproducers(std::span<const Reproducible> findings) {
  std::string text = internal::whole_prelude(kPythonPrelude, kMark);
  std::string table;
  for (const Reproducible& finding : findings) {
    text += "\n\n" + body(finding, "reproduce_" + finding.name);
    table += fmt::format("    {}: reproduce_{},\n", quoted(finding.name), finding.name);
  }
  return text + "\n\nALL = {\n" + table + R"(}


def run_all():
    """Prints the name of each reproducer, runs it in a child process, and prints the exit code."""
    for name, run in ALL.items():
        print(name, flush=True)
        child = os.fork()
        if child == 0:
            code = exit_code_of(run)
            sys.stdout.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(f"{name}: exit {code}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--all"]:
        run_all()
    elif len(sys.argv) > 1:
        sys.exit(exit_code_of(ALL[sys.argv[1]]))
    else:
        print("\n".join(ALL))
)";
}

}  // namespace upcast::fuzz
