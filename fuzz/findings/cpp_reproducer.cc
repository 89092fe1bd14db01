#include <fmt/format.h>

#include "cases/literal.h"
#include "cases/operands.h"
#include "fuzz/findings/literals.h"
#include "fuzz/findings/prelude.h"
#include "fuzz/findings/reproducer.h"
#include "impl/core/error.h"

namespace upcast::fuzz {
namespace {

using internal::dims_text;
using internal::float64_text;
using internal::number_text;
using internal::quoted;
using internal::TensorPart;
using internal::variable_of;

std::string dtype_text(DType dtype) {
  return "at::ScalarType::" + std::string(info(dtype).c10_name);
}

constexpr const char* kComplex = "c10::complex<double>({}, {})";

std::string memory_format_text(const std::string& name) {
  const char* format = name == "channels_last"     ? "ChannelsLast"
                       : name == "preserve_format" ? "Preserve"
                                                   : "Contiguous";
  return fmt::format("static_cast<std::int64_t>(c10::MemoryFormat::{})", format);
}

std::string argument_text(const Parameter& parameter, const Operand& operand,
                          const std::string& variable) {
  switch (operand.tag) {
    case Operand::Tag::kTensor:
      return variable;
    case Operand::Tag::kNumber: {
      const std::string text = number_text(operand.number, kComplex);
      if (is_tensor(parameter)) return "number(" + text + ")";
      if (is_scalar(parameter)) return "at::Scalar(" + text + ")";
      const bool is_float = parameter.type == ParameterType::kFloat ||
                            parameter.type == ParameterType::kOptionalFloat;
      return is_float && !is_complex(operand.number.dtype()) ? "static_cast<double>(" + text + ")"
                                                             : text;
    }
    case Operand::Tag::kDType:
      return "static_cast<std::int64_t>(" + dtype_text(operand.dtype) + ")";
    case Operand::Tag::kText:
      return parameter.type == ParameterType::kMemoryFormat
                 ? memory_format_text(operand.text)
                 : "std::string(" + quoted(operand.text) + ")";
    case Operand::Tag::kUndefined:
      return "at::Tensor()";
    case Operand::Tag::kNone:
    case Operand::Tag::kAbsent:
      break;
  }
  return "c10::IValue()";
}

std::string tensor_text(const TensorPart& part) {
  const Operand& operand = *part.operand;
  std::string text = fmt::format("  const at::Tensor {} = ", part.name);
  if (!part.owner.empty()) {
    const Dims strides =
        operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
    return text + (part.is_owner
                       ? part.owner + ";\n"
                       : fmt::format("{}.as_strided({}, {}, {});\n", part.owner,
                                     dims_text(operand.sizes), dims_text(strides), operand.offset));
  }
  const bool whole =
      operand.strides.empty() && operand.offset == 0 && part.elements == numel(operand.sizes);
  const Dims strides = whole                     ? Dims{}
                       : operand.strides.empty() ? contiguous_strides(operand.sizes)
                                                 : operand.strides;
  if (whole && part.device == Device::kCpu && !part.hex.empty())
    text += fmt::format("tensor({}, {}, {});", dtype_text(operand.dtype),
                        "Ints" + dims_text(operand.sizes), quoted(part.hex));
  else
    text += fmt::format("laid_out({}, at::k{}, {}, {}, {}, {}, {});", dtype_text(operand.dtype),
                        part.device == Device::kMeta   ? "Meta"
                        : part.device == Device::kCuda ? "CUDA"
                                                       : "CPU",
                        "Ints" + dims_text(operand.sizes), "Ints" + dims_text(strides),
                        operand.offset, part.elements, quoted(part.hex));
  return text + (part.values.empty() ? "\n" : "  // " + part.values + "\n");
}

std::string call_text(const Reproducible& finding, const std::vector<TensorPart>& tensors) {
  const auto [name, overload] = internal::operator_name(finding.c);
  const Case& c = finding.c;
  std::string arguments;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    if (c.arguments[i].tag == Operand::Tag::kAbsent) continue;
    const Parameter& parameter = c.schema().parameters[i];
    arguments +=
        fmt::format("{}{{{}, {}}}", arguments.empty() ? "" : ", ", quoted(parameter.name),
                    argument_text(parameter, c.arguments[i], variable_of(tensors, c.arguments[i])));
  }
  std::string outs;
  for (const int position : {kOutPosition, kSecondOutPosition})
    if (const std::string out = variable_of(tensors, c.operand(position)); !out.empty())
      outs += (outs.empty() ? "" : ", ") + out;
  return fmt::format("call({}, {}, {{{}}}{})", quoted("aten::" + name), quoted(overload), arguments,
                     outs.empty() ? "" : ", {" + outs + "}");
}

std::string elements_text(const Reproducible& finding) {
  std::string text;
  for (const internal::ElementPart& part : internal::element_parts(finding))
    text += fmt::format("{}{{{}, {}, {}, {}, {}, {}, {}}}", text.empty() ? "" : ", ", part.result,
                        part.index, quoted(part.right), quoted(part.right_text), quoted(part.wrong),
                        quoted(part.wrong_text), float64_text(part.tolerance));
  return text;
}

std::string judge_text(const Reproducible& finding, const std::string& call) {
  const Answer& right = finding.right.answer;
  const std::string attempt = "attempt([&] { return " + call + "; })";
  const std::string what = quoted(finding.right.text().substr(0, 200));
  switch (finding.code) {
    case VerdictCode::kCrash:
    case VerdictCode::kTimeout:
      return fmt::format("judge_survival([&] {{ {}; }}, {}, {})", call,
                         static_cast<int>(finding.time_limit), what);
    case VerdictCode::kDifferRefusal:
    case VerdictCode::kDifferAccepts:
      return fmt::format("judge_refusal({}, {}, {})", attempt, right.tag == Answer::Tag::kRefusal,
                         what);
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
    return fmt::format("judge_value({}, {})", attempt, right.bytes.at(0) != std::byte{0});
  return fmt::format("judge_values({}, {}, {{{}}})", attempt, dtype_text(right.dtype),
                     elements_text(finding));
}

std::string head_comment(const Reproducible& finding) {
  std::string text;
  for (const std::string& line : internal::head_lines(finding)) text += "// " + line + "\n";
  return text;
}

std::string body(const Reproducible& finding, const std::string& function) {
  std::string text =
      fmt::format("int {}() {{\n  start({});\n", function, quoted(finding.capability));
  if (finding.has_onednn) text += "  at::globalContext().setUserEnabledMkldnn(true);\n";
  if (finding.c.defaults.floating != DType::kFloat32)
    text += fmt::format("  c10::set_default_dtype(c10::scalarTypeToTypeMeta({}));\n",
                        dtype_text(finding.c.defaults.floating));
  const std::vector<TensorPart> tensors = internal::tensor_parts(finding);
  for (const TensorPart& part : tensors) text += tensor_text(part);
  return text + "  return " + judge_text(finding, call_text(finding, tensors)) + ";\n}\n";
}

constexpr std::string_view kMark = "//@";

}  // namespace

/// The text of prelude.cpp.in, which CMake embeds.
extern const char kCppPrelude[];

std::string internal::build_comment(std::string_view file, std::string_view program) {
  return fmt::format(
      "// Build, with T the folder of a LibTorch that holds include/ and lib/:\n"
      "//   g++ -std=c++20 -w {0} -I$T/include -I$T/include/torch/csrc/api/include -L$T/lib \\\n"
      "//     -Wl,-rpath,$T/lib -Wl,--no-as-needed -ltorch_cpu -lc10 -o {1} && ./{1}",
      file, program);
}

std::string cpp_reproducer(const Reproducible& finding) {
  check(why_not_in_cpp(finding.callee).empty(), "the callee has a program in C++");
  if (finding.callee.kind == Callee::Kind::kPlugin) return internal::plugin_program(finding);
  const std::string program =
      body(finding, "reproduce") + "\nint main() { return exit_code_of(reproduce); }\n";
  return head_comment(finding) + internal::build_comment("reproduce.cc", "reproduce") + "\n" +
         internal::prelude_for(program, kCppPrelude, kMark) + "\n" + program;
}

std::string cpp_reproducers(std::span<const Reproducible> findings) {
  std::string text = internal::whole_prelude(kCppPrelude, kMark);
  std::string table;
  for (const Reproducible& finding : findings) {
    text += fmt::format("\nnamespace {{\n{}}}  // namespace\n",
                        head_comment(finding) + body(finding, "reproduce_" + finding.name));
    table += fmt::format("    {{{}, &reproduce_{}}},\n", quoted(finding.name), finding.name);
  }
  return text + "\nconst std::map<std::string, int (*)()> kAll{\n" + table + R"(};

// Prints the name of each reproducer, runs it in a child process, and prints the exit code.
int run_all() {
  for (const auto& [name, run] : kAll) {
    std::printf("%s\n", name.c_str());
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      const int code = exit_code_of(run);
      std::fflush(stdout);
      _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("%s: exit %d\n", name.c_str(), WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  }
  return 0;
}

int main(int argc, char** argv) {
  const std::string chosen = argc > 1 ? argv[1] : "";
  if (chosen == "--all") return run_all();
  if (!chosen.empty()) return exit_code_of(kAll.at(chosen));
  for (const auto& [name, run] : kAll) std::printf("%s\n", name.c_str());
}
)";
}

}  // namespace upcast::fuzz
