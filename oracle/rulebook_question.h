// Makes a question to a rule book of a case, or of a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "impl/promotion/rulebooks/rulebooks.h"

namespace upcast {

/// A question, with all that it points to.
struct CaseQuestion {
  std::string op;  // "add", "div_trunc"
  std::vector<rulebooks::Operand> operands;
  std::vector<std::string> texts{};  // operands as a case writes them
  rulebooks::Form form = rulebooks::Form::kOperator;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;
  int opset = 9;  // for a question about ONNX

  rulebooks::Question question() const { return {op, operands, form, default_dtype, out, opset}; }
};

/// The operands that take part in promotion: tensors, numbers and dtypes, not attributes such as
/// alpha. A functional call is asked as an operator (a + b). Zero-dim tensors have the value that
/// the case gives them, else 1.
CaseQuestion question_of(const Case& c);

/// Reads a line that a system understands and PyTorch need not: NAME(OPERAND, ..., dtype=DTYPE,
/// out=TENSOR) @default=DTYPE. NAME is any system's name for the op ("less_than"); a trailing "_"
/// makes it in-place. Operands are written as in a case, and are as many as are asked about. Throws
/// UsageError with the column.
CaseQuestion parse_question(std::string_view line);

}  // namespace upcast
