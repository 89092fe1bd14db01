// Writes stand-alone programs that show a difference. They call the side that is treated as wrong:
// LibTorch (C++ with LibTorch only, Python with torch only), a device of torch, a plug-in, a
// process.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "fuzz/findings/callee.h"
#include "oracle/judge.h"

namespace upcast::fuzz {

/// Settings that an installed torch needs to show the difference.
struct NeededSettings {
  bool capability = true;
  bool onednn = true;
};

/// Ends a text of the exact value that was rounded once to the dtype of the result.
inline constexpr std::string_view kCorrectlyRounded = " (correctly rounded)";

/// What a program shows: a call, the callee's answer, and the right answer. If the wrong side is
/// undecided, the other side's answer stands for the right one.
struct Reproducible {
  std::string name;  // a word of letters, digits and '_'
  Case c;
  VerdictCode code = VerdictCode::kDifferValue;  // a difference
  Callee callee{};
  std::string reference{};  // whose answer `right` is: "PyTorch 2.15.0"; unused for LibTorch
  Reply right{};
  Reply wrong{};                       // the callee's
  Sides sides{};                       // right side first; they decide how far off is still right
  Device device = Device::kCpu;        // where LibTorch's tensors lie
  std::string capability = "default";  // LibTorch's CPU capability; "native": the machine's best
  bool has_onednn = false;             // whether LibTorch asks oneDNN first
  NeededSettings sets{};               // for short programs; long ones set both
  std::string libtorch{};              // the version of the callee that gave the answer
  std::string who_is_wrong{};          // a sentence (reports/blame.h)
  std::string signature{};             // for the comment, as are the fields below
  std::string reason{};
  std::string witness{};  // the witness of a bug (cases/known_differences.h)
  std::string python{};   // why Python does not show it; may be ""
  std::string truth{};    // the exact value (kCorrectlyRounded), or a declared right answer; or ""
  double time_limit = 10;
};

/// Writes one program. Its exit code is 1 while the difference is there, 0 if the callee answers as
/// expected, 2 for any other answer, and 3 if Python cannot make the call. Values are bits.
/// Precondition: why_not_in_cpp(), or why_not_in_python(), of the callee is "".
std::string cpp_reproducer(const Reproducible& finding);
std::string python_reproducer(const Reproducible& finding);

/// Why torch in Python cannot make the call; "" if it can. It passes numbers as tensors to few ops.
/// The script finds out as well (exit code 3).
std::string why_not_in_python(const Case& c);

/// Writes one program for many findings of LibTorch. Its argument is the name of one, or --all:
/// then each runs in a child process of its own, with a line "NAME: exit CODE" after what it
/// prints. A part does what the program for that finding alone does.
std::string cpp_reproducers(std::span<const Reproducible> findings);
std::string python_reproducers(std::span<const Reproducible> findings);

namespace internal {

/// A tensor of the call.
struct TensorPart {
  std::string name;  // of the variable
  const Operand* operand = nullptr;
  Device device = Device::kCpu;
  std::int64_t elements = 0;  // of its storage
  std::string hex{};          // bytes that the storage repeats; "": none
  std::string owner{};        // the variable whose storage it views; "": its own
  bool is_owner = false;      // whether it is the owner itself: same sizes, strides and offset
  std::string values{};       // for the comment
};
/// The tensors of the call, in the order in which they must be made.
std::vector<TensorPart> tensor_parts(const Reproducible& finding);

/// An element that differs.
struct ElementPart {
  std::size_t result, index;
  std::string right, right_text, wrong, wrong_text;  // as hex digits, and as text
  double tolerance;
};
/// The first few.
std::vector<ElementPart> element_parts(const Reproducible& finding);

/// The right dtype, shape and elements of a result.
struct ExpectedPart {
  DType dtype;
  Dims sizes, strides;
  bool has_strides;
  std::vector<ElementPart> elements;  // for a difference in values: the first few that differ
};
/// The right answer, part by part: one for each result of the op.
std::vector<ExpectedPart> expected_parts(const Reproducible& finding);
/// The right answer as a text of one line, which may be cut.
std::string expected_words(const Reproducible& finding);

/// How a program of LibTorch is built, as comment lines of C++ without the last line's end.
std::string build_comment(std::string_view file, std::string_view program);

/// Writes the program for a finding in a plug-in (Callee::Kind::kPlugin), in C++.
std::string plugin_program(const Reproducible& finding);
/// Writes the program for a finding in a process (Callee::Kind::kProcess), in Python.
std::string process_program(const Reproducible& finding);

/// The comment at the head of a program, without comment marks.
std::vector<std::string> head_lines(const Reproducible& finding);

/// Whether a Tensor parameter is given a number that Python cannot pass as a tensor.
bool needs_another_overload(const Case& c);

/// Name and overload of the callable, as "x.Tensor".
std::pair<std::string, std::string> operator_name(const Case& c);

std::string hex_of(std::span<const std::byte> bytes);

/// A text as a string literal of either language.
std::string quoted(std::string_view text);

/// The variable of a tensor operand; "" if it is none of the parts.
std::string variable_of(const std::vector<TensorPart>& parts, const Operand& operand);

}  // namespace internal
}  // namespace upcast::fuzz
