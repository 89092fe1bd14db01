// Makes a case of a question as people who use PyTorch write it: "torch.add(torch.ones(3), 5.5)",
// "a + b with a=int32[3], b=5.5", "x.add_(2)" (docs/case_notation.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "cases/python/evaluate.h"

namespace upcast {

struct Question {
  Case c;
  std::vector<std::string> notes;  // what was assumed, and the results of inner calls
};

/// Reads a line of the case notation, or else an expression of Python: cases/python/expression.h.
/// `compute` answers the calls inside the question. Throws UsageError, one line with the column
/// (from 1) and a remedy.
Question read_question(std::string_view text, const python::Compute& compute);

/// Reads an expression of Python, and nothing in case notation. A fault is a SyntaxFault with its
/// offset in the text.
Question read_python_or_fault(std::string_view text, const python::Compute& compute);

}  // namespace upcast
