// The rule book of a proposal of 2018, PyTorch's issue 9515. It has two categories and three
// priorities.
#pragma once

#include <algorithm>

#include "impl/promotion/promote_types.h"
#include "impl/promotion/rulebooks/op_names.h"
#include "impl/promotion/rulebooks/rulebook.h"

namespace upcast::rulebooks {
namespace proposal_9515 {

/// The ten dtypes of PyTorch in 2018, without the complex ones.
inline constexpr DTypeSet kDTypes = kBools | kIntegers | kFloats;

/// The priority of an operand: 3 for tensors of one or more dimensions, 2 for zero-dim tensors, 1
/// for wrapped numbers.
constexpr int priority(const Operand& operand) {
  return operand.rank == Rank::kDim ? 3 : is_number(operand) ? 1 : 2;
}
constexpr int category(const Operand& operand) { return is_floating(operand.dtype) ? 2 : 1; }

/// The dtype of an operand. A wrapped number has the default dtype if it is floating, otherwise
/// int64.
constexpr DType infer_scalar_type(const Operand& operand, DType default_dtype) {
  if (!is_number(operand)) return operand.dtype;
  return is_floating(operand.dtype) ? default_dtype : DType::kInt64;
}

/// Whether an operand takes part in the decision. It does if it has the highest priority, or a
/// higher category than all operands of higher priority.
constexpr bool participates(const Operand& operand, std::span<const Operand> all) {
  int highest = 0;
  int category_above = 0;
  for (const Operand& other : all) {
    highest = std::max(highest, priority(other));
    if (priority(other) > priority(operand))
      category_above = std::max(category_above, category(other));
  }
  return priority(operand) >= highest || category(operand) > category_above;
}

constexpr Part part(const Question& question, std::size_t position) {
  const Operand& operand = question.operands[position];
  return {priority(operand), category(operand) == 2 ? "floating-point" : "integer",
          participates(operand, question.operands),
          infer_scalar_type(operand, question.default_dtype)};
}

}  // namespace proposal_9515

constexpr Reply answer_proposal_9515(const Question& question) {
  using namespace proposal_9515;
  if (question.op != "result_type" && !is_one_of(question.op, "add sub mul"))
    return outside("the proposal is about result_type, and add and its like");
  if (question.form == Form::kInPlace || question.form == Form::kOut)
    return outside("the proposal is silent on outputs");
  DType result = DType::kUndefined;
  bool all_participate = true;
  for (const Operand& operand : question.operands) {
    if (is_complex(operand.dtype)) return outside("the proposal has no complex category");
    if (!participates(operand, question.operands)) {
      all_participate = false;
      continue;
    }
    const DType dtype = infer_scalar_type(operand, question.default_dtype);
    result = result == DType::kUndefined ? dtype : promote_types(result, dtype).dtype();
  }
  return gives(result, all_participate
                           ? "all operands participate: promote_types"
                           : "an operand of lower priority and no higher category takes no part");
}

inline constexpr RuleBook kProposal9515{"proposal-9515",        "PyTorch, the proposal of 2018",
                                        "of July 2018",         "pytorch issue 9515",
                                        proposal_9515::kDTypes, &answer_proposal_9515,
                                        &proposal_9515::part};

}  // namespace upcast::rulebooks
