// A measured finding in a few words: the same words for issues, the page of findings and lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/measured_findings.h"

namespace upcast::reports {

/// "wrong kind".
std::string severity_words(Severity severity);

/// "logit" of "logit_(float32[2])", "mul" of "mul.Tensor(...)", "__and__" as it is.
std::string op_of_line(std::string_view line);
/// The dtype of the first tensor of a case line or of an answer; "" where there is none.
std::string dtype_of_line(std::string_view line);
/// A user's name for the call: "torch.logit", or "aten::mul.Tensor" where that has no public name.
std::string callee_words(const MeasuredFinding& finding);

/// "gives 2 instead of 4", "kills the process (SIGFPE)", "refuses a call that it has to answer".
std::string fault_words(const MeasuredFinding& finding);
/// "3.5e+07", "0.5", "infinite".
std::string error_words(double error);

/// The side that is wrong: of two paths of LibTorch the subject, else the one that is not ours.
const std::string& wrong_side_of(const MeasuredFinding& finding);
/// A side of LibTorch as a maintainer of PyTorch knows it: "the scalar kernels
/// (ATEN_CPU_CAPABILITY=default)"; others by their names.
std::string side_words(std::string_view side);
/// The same for one of kFindingPaths.
std::string path_words(std::string_view path);

/// An answer for readers: of many elements that at `element`, or the one that all of them are.
/// `code` is put around what is code.
std::string answer_words(std::string_view answer, std::size_t element, std::string_view code);
/// A call with "{1, 16 times}" for sixteen elements of 1.
std::string short_call(std::string_view line);
/// Where two answers of one type differ first; 0 where that cannot be told.
std::size_t first_difference(std::string_view right, std::string_view wrong);

/// Which dtypes and forms show a finding; the dtypes that show it in no form stand apart.
struct ShownTable {
  struct Row {
    std::string dtype;
    std::vector<std::string> cells;  // by form: "yes", "no", "avx2, default"; "" of what is unknown
  };
  std::vector<std::string> forms;
  std::vector<Row> rows;
  std::vector<std::string> never;
};
ShownTable shown_table(const MeasuredFinding& finding);

/// "With the scalar kernels (...) it shows in 3 of 6 dtypes and forms.", a line for the paths that
/// show alike.
std::vector<std::string> shown_by_path(const MeasuredFinding& finding);
/// "LibTorch 2.14.1 and 2.15.0 show it; 2.7.1 answers rightly; 2.8.0 differs otherwise."; "" where
/// no version was asked.
std::string version_words(const MeasuredFinding& finding);

/// "a, b and c".
std::string listed(const std::vector<std::string>& words);

}  // namespace upcast::reports
