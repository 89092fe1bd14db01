// A case as a question to a rule book.
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"
#include "impl/promotion/rulebooks/rulebooks.h"

namespace upcast {

/// Owns what a Question points to.
struct CaseQuestion {
  std::string op;  // "add", "div_trunc"
  std::vector<rulebooks::Operand> operands;
  rulebooks::Form form = rulebooks::Form::kOperator;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;
  int opset = 9;  // of a question about ONNX

  rulebooks::Question question() const { return {op, operands, form, default_dtype, out, opset}; }
};

/// The operands that take part in promotion: tensors, numbers and dtypes, not attributes such as
/// alpha. A functional call is asked as an operator (a + b). Zero-dim tensors have the value that
/// the case gives them, else 1.
CaseQuestion question_of(const Case& c);

}  // namespace upcast
