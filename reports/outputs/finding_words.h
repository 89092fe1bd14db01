// Writes a measured finding in a few words. Issues, the page of findings and lists use the same
// words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/measured_findings.h"

namespace upcast::reports {

/// "wrong kind".
std::string severity_words(Severity severity);

/// The op of a case line: "logit" for "logit_(float32[2])", "mul" for "mul.Tensor(...)". The
/// underscores of "__and__" stay.
std::string op_of_line(std::string_view line);
/// The dtype of the first tensor of a case line or of an answer; "" if there is none.
std::string dtype_of_line(std::string_view line);
/// The name by which a user calls the finding's op: "torch.logit", or "aten::mul.Tensor" if it has
/// no public name.
std::string callee_words(const MeasuredFinding& finding);

/// The fault in words: "gives 2 instead of 4", "kills the process (SIGFPE)", "refuses a call that
/// it has to answer".
std::string fault_words(const MeasuredFinding& finding);
/// A relative error as text: "3.5e+07", "0.5", "infinite".
std::string error_words(double error);

/// The name of the side that a finding says is wrong. Between two paths of LibTorch it is the
/// subject, else the side that is not ours.
const std::string& wrong_side_of(const MeasuredFinding& finding);
/// A side of LibTorch in words for a maintainer of PyTorch: "the scalar kernels
/// (ATEN_CPU_CAPABILITY=default)". Other sides keep their names.
std::string side_words(std::string_view side);
/// One of kFindingPaths in words for a maintainer of PyTorch, as a side of LibTorch has them.
std::string path_words(std::string_view path);

/// An answer for readers. For many elements it shows only the one at `element`, or the one that all
/// of them equal. `code` stands before and after code.
std::string answer_words(std::string_view answer, std::size_t element, std::string_view code);
/// A case line with long operands cut: "{1, 16 times}" for sixteen elements of 1.
std::string short_call(std::string_view line);
/// The index of the first element in which two answers of one type differ; 0 if their texts do not
/// tell it.
std::size_t first_difference(std::string_view right, std::string_view wrong);

/// A table of the dtypes and forms in which a finding shows. Dtypes in which it shows in no form
/// stand apart.
struct ShownTable {
  struct Row {
    std::string dtype;
    /// Whether the finding shows in each form: "yes", "no", or on which paths ("avx2, default").
    /// "": unknown.
    std::vector<std::string> cells;
  };
  std::vector<std::string> forms;
  std::vector<Row> rows;
  std::vector<std::string> never;
};
ShownTable shown_table(const MeasuredFinding& finding);

/// A line for each set of paths that show a finding alike: "With the scalar kernels (...) it shows
/// in 3 of 6 dtypes and forms."
std::vector<std::string> shown_by_path(const MeasuredFinding& finding);
/// The versions in words: "LibTorch 2.14.1 and 2.15.0 show it; 2.7.1 answers rightly; 2.8.0 differs
/// otherwise."; "" if no version was asked.
std::string version_words(const MeasuredFinding& finding);

/// Makes a sentence of a text: adds a full stop, and a capital unless the text begins with a name
/// of code.
std::string as_sentence(std::string text);

/// Words as a list in a sentence: "a, b and c".
std::string listed(const std::vector<std::string>& words);

}  // namespace upcast::reports
