// Explains a case: what happened to it in our own implementation, as rows of text. `upcast explain`
// prints them, and the report shows them. The rows only show what the engine noted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/case_trace.h"

namespace upcast::tools {

struct OperandRow {
  std::string name;                                  // the name of the schema's parameter
  std::string text;                                  // "int32[3]", "5.5"
  std::string value{};                               // "int32[3]{7,-5,3}", "5.5"
  TypedOperand operand;                              // dtype kUndefined: the operand is absent
  const PromotionTrace::Entered* entered = nullptr;  // null: the operand entered no slot
  std::string why{};                                 // the rule that decided, as a sentence
};

struct CombineRow {
  std::string_view higher_name;  // "dim"
  std::string_view lower_name;   // "wrapped"
  PromotionTrace::Combined slots;
  std::string why;
};

using Rows = std::vector<std::vector<std::string>>;

/// The explanation has values only if the call's tensors and their storages have at most this many
/// elements.
inline constexpr std::int64_t kMostExplained = std::int64_t{1} << 24;

struct Explanation {
  explicit Explanation(const Case& explained);

  Case c;
  std::int64_t elements;  // elements of the call's largest tensor or storage
  TracedAnswer traced;    // without values where `has_values()` is false

  bool has_values() const { return elements <= kMostExplained; }

  const PromotionTrace& promotion() const { return traced.trace.promotion; }
  /// The promotion kind whose TensorIterator flags the call has. kOwn: the op has a rule of its
  /// own, or the call was refused before flags were set.
  PromotionKind kind() const;
  std::vector<OperandRow> operands() const;
  /// (name, value) of each tensor and each number among the call's arguments. Long values are cut.
  /// All values are left out if the call has more than kMostExplained elements.
  Rows values() const;
  std::vector<CombineRow> combinations() const;
  /// The rules that decide after the slots have combined, a sentence for each.
  std::vector<std::string> then() const;
  /// The common dtype and the result dtype of the call; for a composition only the result dtype.
  /// kUndefined if the call was refused before promotion.
  Promoted dtypes() const;
  /// The steps of the iterator, each with what it found: {"shape", "[2,3] from [2,1] and [3]"}. A
  /// composition has a row for each call that it makes.
  Rows steps() const;
};

/// The TensorIterator flags that a promotion kind sets, by their names in TensorIteratorConfig.
std::vector<std::string> iterator_flags(PromotionKind kind);

/// A dtype as text: "float32"; "-" for an empty slot, "none" for an error.
std::string text_of(DTypeResult result);

}  // namespace upcast::tools
