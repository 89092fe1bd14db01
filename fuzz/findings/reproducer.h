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

/// The settings that an installed torch needs to show a difference.
struct NeededSettings {
  bool capability = true;
  bool onednn = true;
};

/// The end of a text that gives the exact value, rounded once to the dtype of the result.
inline constexpr std::string_view kCorrectlyRounded = " (correctly rounded)";

/// What a program shows: a call, the callee's answer, and the right answer. If the wrong side is
/// undecided, the other side's answer stands for the right one.
struct Reproducible {
  std::string name;  // a word of letters, digits and '_', which names the program
  Case c;
  VerdictCode code = VerdictCode::kDifferValue;  // a difference
  Callee callee{};
  std::string reference{};  // who gave `right`: "PyTorch 2.15.0"; unused for LibTorch
  Reply right{};
  Reply wrong{};                       // the callee's
  Sides sides{};                       // of `right`, then of `wrong`; error bounds depend on them
  Device device = Device::kCpu;        // where LibTorch's tensors lie
  std::string capability = "default";  // LibTorch's CPU capability; "native": the machine's best
  bool has_onednn = false;             // whether LibTorch asks oneDNN first
  NeededSettings sets{};               // which settings short programs set; long ones set all
  std::string libtorch{};              // the version of LibTorch that gave the answer
  std::string who_is_wrong{};          // the sentence of reports/blame.h
  std::string signature{};             // for the program's first comment, as are the fields below
  std::string reason{};
  std::string witness{};  // what makes the difference a bug (cases/known_differences.h)
  std::string python{};   // why Python does not show the difference; may be ""
  std::string truth{};    // exact value (kCorrectlyRounded), declared right answer, or ""
  double time_limit = 10;
};

/// Writes one program. Its exit code is 1 while the difference is there, 0 if the callee answers as
/// expected, 2 for any other answer, and 3 if Python cannot make the call. Values are bits.
/// Precondition: why_not_in_cpp(), or why_not_in_python(), of the callee is "".
std::string cpp_reproducer(const Reproducible& finding);
std::string python_reproducer(const Reproducible& finding);

/// Why torch in Python cannot make the call of a case; "" if it can. Python passes numbers as
/// tensors to few ops. A program that cannot make its call ends with exit code 3.
std::string why_not_in_python(const Case& c);

/// Writes one program for many findings of LibTorch. Its argument is the name of one, or --all:
/// then each runs in a child process of its own, with a line "NAME: exit CODE" after what it
/// prints. A part does what the program for that finding alone does.
std::string cpp_reproducers(std::span<const Reproducible> findings);
std::string python_reproducers(std::span<const Reproducible> findings);

namespace internal {

/// A tensor of a program's call.
struct TensorPart {
  std::string name;  // the variable's name in the program
  const Operand* operand = nullptr;
  Device device = Device::kCpu;
  std::int64_t elements = 0;  // how many elements the storage has
  std::string hex{};          // bytes that the storage repeats, in hex; "": none
  std::string owner{};        // variable whose storage the tensor views; "": its own
  bool is_owner = false;      // whether the tensor is its owner: same sizes, strides and offset
  std::string values{};       // the values as text, for a comment
};
/// The tensors of a finding's call, in the order in which a program must make them.
std::vector<TensorPart> tensor_parts(const Reproducible& finding);

/// An element of a result in which the answers differ.
struct ElementPart {
  std::size_t result, index;
  std::string right, right_text, wrong, wrong_text;  // the element as hex digits, and as text
  double tolerance;
};
/// The first few elements in which the answers differ.
std::vector<ElementPart> element_parts(const Reproducible& finding);

/// The right dtype, shape and elements of one result.
struct ExpectedPart {
  DType dtype;
  Dims sizes, strides;
  bool has_strides;
  std::vector<ElementPart> elements;  // if values differ: the first few elements that differ
};
/// The right answer of a finding: one part for each result of the op.
std::vector<ExpectedPart> expected_parts(const Reproducible& finding);
/// The right answer of a finding as a text of one line, which may be cut.
std::string expected_words(const Reproducible& finding);

/// The comment lines of a C++ program of LibTorch that say how to build it. The last line's end is
/// missing.
std::string build_comment(std::string_view file, std::string_view program);

/// Writes the program for a finding in a plug-in (Callee::Kind::kPlugin), in C++.
std::string plugin_program(const Reproducible& finding);
/// Writes the program for a finding in a process (Callee::Kind::kProcess), in Python.
std::string process_program(const Reproducible& finding);

/// The lines of the comment at the head of a program, without comment marks.
std::vector<std::string> head_lines(const Reproducible& finding);

/// Whether a case has a number for a Tensor parameter to which Python cannot pass a number.
bool needs_another_overload(const Case& c);

/// The name and the overload of a case's callable, as ATen's operators have them.
std::pair<std::string, std::string> operator_name(const Case& c);

std::string hex_of(std::span<const std::byte> bytes);

/// A text as a string literal that both C++ and Python read.
std::string quoted(std::string_view text);

/// The variable that holds a tensor operand; "" if none of the parts does.
std::string variable_of(const std::vector<TensorPart>& parts, const Operand& operand);

}  // namespace internal
}  // namespace upcast::fuzz
