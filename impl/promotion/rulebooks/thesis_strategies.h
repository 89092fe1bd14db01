// CommonDTypeStrategy, by which TensorIterator of 2020 found its dtypes (thesis, figures 2.5 to
// 2.8, and 3.1). Where the figures leave code out ("// ..."), the rule book gives no answer of its
// own.
#pragma once

#include <array>
#include <optional>

#include "impl/promotion/rulebooks/pytorch.h"

namespace upcast::rulebooks::thesis {

/// Figure 2.5.
enum class CommonDTypeStrategy : std::uint8_t { kNone, kCheck, kPromoteInputs, kPromote };

inline constexpr std::array<std::string_view, 4> kStrategyNames{"NONE", "CHECK", "PROMOTE_INPUTS",
                                                                "PROMOTE"};

constexpr std::optional<CommonDTypeStrategy> find_strategy(std::string_view name) {
  for (std::size_t i = 0; i < kStrategyNames.size(); ++i)
    if (kStrategyNames[i] == name) return static_cast<CommonDTypeStrategy>(i);
  return std::nullopt;
}

/// The common dtype, by figures 2.6 and 2.8. It combines the slots of all operands, and also the
/// output's unless the strategy is PROMOTE_INPUTS. The promotion table is today's, because figure
/// 3.7 has misprints.
constexpr DTypeResult common_dtype_2020(CommonDTypeStrategy strategy, const Question& question) {
  const Defaults defaults{question.default_dtype};
  ResultTypeState state;
  if (strategy != CommonDTypeStrategy::kPromoteInputs)
    state = update(state, {question.out, Kind::kDim}, defaults);
  for (const Operand& operand : question.operands)
    state = update(state, pytorch::typed(operand), defaults);
  return result_type(state);
}

/// The reply about the output's dtype, by figure 2.7.
constexpr Reply compute_types(CommonDTypeStrategy strategy, const Question& question) {
  const bool has_output = question.form == Form::kOut && question.out != DType::kUndefined;
  if (question.form == Form::kInPlace || question.form == Form::kDTypeArgument)
    return outside("a strategy takes its output as out=");
  const DTypeResult found = common_dtype_2020(strategy, question);
  switch (strategy) {
    case CommonDTypeStrategy::kNone:
      return has_output
                 ? gives(question.out, "NONE computes no common dtype: the output keeps its dtype")
                 : outside("the figures do not say which dtype a missing output has under NONE");
    case CommonDTypeStrategy::kPromoteInputs:
      if (!has_output)
        return refuses(
            "unable to compute and promote common dtype based only on inputs if there are missing "
            "dtypes for outputs");
      break;
    default:
      break;
  }
  if (!found.ok()) return refuses(describe(found.error()));
  if (strategy == CommonDTypeStrategy::kPromoteInputs)
    return gives(question.out,
                 "PROMOTE_INPUTS: inputs become the common dtype, the output keeps its dtype");
  const DType common = found.dtype();
  if (strategy == CommonDTypeStrategy::kPromote)
    return gives(common, "PROMOTE: inputs and output become the common dtype");
  for (const Operand& operand : question.operands)
    if (operand.dtype != common)
      return refuses("CHECK: an input has another dtype than the common one");
  if (has_output && question.out != common)
    return refuses("CHECK: the output has another dtype than the common one");
  return gives(common, "CHECK: all operands have the common dtype, and none is promoted");
}

/// What a strategy says of one input of an op: the dtype to which the input is converted.
constexpr Part part_of_strategy(const Question& question, std::size_t position) {
  Part part;
  const std::optional<CommonDTypeStrategy> strategy = find_strategy(question.op);
  if (!strategy) return part;
  const bool promotes = *strategy == CommonDTypeStrategy::kPromote ||
                        *strategy == CommonDTypeStrategy::kPromoteInputs;
  part.participates = *strategy != CommonDTypeStrategy::kNone;
  const DTypeResult found = common_dtype_2020(*strategy, question);
  const bool targets_common = promotes && found.ok();
  part.enters_as = targets_common ? found.dtype() : question.operands[position].dtype;
  return part;
}

}  // namespace upcast::rulebooks::thesis
