// Why a call has the dtypes it has: each step of promotion as data. `upcast explain` prints it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "impl/promotion/promotion.h"

namespace upcast::tools {

/// An operand on its way into a slot.
struct OperandStep {
  std::string name;      // the schema's parameter
  std::string text;      // "int32[3]", "5.5"
  TypedOperand operand;  // dtype kUndefined: absent
  bool promotes = true;  // false: converted straight to the compute dtype (the condition of where)
  DType enters = DType::kUndefined;
  Rule rule{};            // why it enters so
  ResultTypeState slots;  // after it has
};

/// Two slots meet.
struct CombineStep {
  std::string higher_name;  // "dim"
  std::string lower_name;   // "wrapped"
  DTypeResult higher;
  DTypeResult lower;
  std::string why;  // the rule's sentence
  DTypeResult result;
};

struct Explanation {
  Case c;
  PromotionKind kind;
  std::vector<OperandStep> operands;
  std::vector<CombineStep> combine;  // empty where nothing promotes
  DTypeResult result_type;           // of the promoting operands
  std::vector<std::string> then;     // what the promotion kind does after that, a sentence each
  Outcome<Promoted> promoted = Promoted{};
};

/// The explanation's outcome is promote_case's; its steps are those of impl/promotion.
Explanation explain_case(const Case& c);

/// The TensorIterator flags that a kind sets, by their names in TensorIteratorConfig.
std::vector<std::string> iterator_flags(PromotionKind kind);

/// "float32", "-" for an empty slot, "none: uint16, ... promote with themselves ..." for an error.
std::string text_of(DTypeResult result);

}  // namespace upcast::tools
