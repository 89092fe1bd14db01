// Makes the question for a rule book, of a case or of a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "impl/promotion/rulebooks/rulebooks.h"

namespace upcast {

/// A question for a rule book. It owns what the question points to.
struct CaseQuestion {
  std::string op;  // "add", "div_trunc"
  std::vector<rulebooks::Operand> operands;
  std::vector<std::string> texts{};  // the operands as a case line writes them
  rulebooks::Form form = rulebooks::Form::kOperator;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;
  int opset = 9;  // version of ONNX's operators, for a question about ONNX

  rulebooks::Question question() const { return {op, operands, form, default_dtype, out, opset}; }
};

/// Makes the question that a case asks. Its operands are those that take part in promotion:
/// tensors, numbers and dtypes, but not attributes such as alpha. A functional call is asked as an
/// operator (a + b). Zero-dim tensors have the value that the case gives them, or 1.
CaseQuestion question_of(const Case& c);

/// Reads a question that a rule book understands, even if PyTorch has no such call: NAME(OPERAND,
/// ..., dtype=DTYPE, out=TENSOR) @default=DTYPE. NAME is any system's name for the op
/// ("less_than"); a "_" at its end makes the call in-place. Operands are written as in a case.
/// Throws UsageError with the column of the fault.
CaseQuestion parse_question(std::string_view line);

}  // namespace upcast
