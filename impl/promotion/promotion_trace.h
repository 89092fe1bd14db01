// A record of how promotion decided. If the functions of promotion get a trace, each of them notes
// its steps in it.
#pragma once

#include <optional>
#include <span>

#include "impl/promotion/rules.h"

namespace upcast {

/// The kind of an operand, as promotion sees it. Priority falls from kDim to kWrapped.
enum class Kind : std::uint8_t { kDim, kZeroDim, kWrapped };

constexpr std::string_view name(Kind kind) {
  constexpr std::array<std::string_view, 3> kNames{"dim", "zero_dim", "wrapped"};
  return kNames[static_cast<int>(kind)];
}

/// An operand as promotion sees it. The dtype kUndefined stands for an undefined tensor.
struct TypedOperand {
  DType dtype = DType::kUndefined;
  Kind kind = Kind::kDim;

  constexpr bool operator==(const TypedOperand&) const = default;
};

/// The state of result_type: a slot with a dtype for each kind of operand. A slot is kUndefined
/// until an operand enters it.
struct ResultTypeState {
  DTypeResult dim, zero_dim, wrapped;

  constexpr DTypeResult& slot(Kind kind) {
    return kind == Kind::kDim ? dim : kind == Kind::kZeroDim ? zero_dim : wrapped;
  }
};

enum class PromotionKind : std::uint8_t;

/// The steps of promotion, in order. The lists are long enough for every op; steps beyond their
/// length are dropped.
struct PromotionTrace {
  /// Notes that an operand entered its slot.
  struct Entered {
    TypedOperand operand;
    DType as = DType::kUndefined;  // the dtype with which the operand entered
    Rule rule = Rule::kCount;      // the rule for that dtype, or for this slot
    ResultTypeState slots;         // the state after the operand entered
  };
  /// Notes that two slots combined. First zero_dim combines with wrapped, then dim combines with
  /// the result.
  struct Combined {
    DTypeResult higher, lower, result;
    Rule rule = Rule::kCount;  // kCount: no rule, as one slot is empty or an error
  };

  std::array<Rule, 48> decided{};  // rules, in the order of their decisions
  int decided_count = 0;
  std::array<Entered, 4> entered{};
  int entered_count = 0;
  std::array<Combined, 2> combined{};
  int combined_count = 0;
  /// Whether the inputs all have one dtype, and one of them has dimensions. Then no operand enters
  /// a slot.
  bool keeps_one_dtype = false;
  std::optional<PromotionKind> kind{};  // the op's kind; nullopt if the op has its own rule
  DType cast_from = DType::kUndefined;  // source of the cast to a given output
  DType cast_to = DType::kUndefined;    // target of that cast; kUndefined: no cast

  constexpr std::span<const Rule> rules() const { return std::span(decided).first(decided_count); }
  /// The rule that decided after the first `count` decisions; kCount if there was no further
  /// decision.
  constexpr Rule rule_after(int count) const {
    return count < decided_count ? decided[count] : Rule::kCount;
  }
  constexpr std::span<const Entered> entries() const {
    return std::span(entered).first(entered_count);
  }
  constexpr std::span<const Combined> combinations() const {
    return std::span(combined).first(combined_count);
  }
  constexpr bool holds(Rule rule) const {
    for (const Rule other : rules())
      if (other == rule) return true;
    return false;
  }
  constexpr void note(Rule rule) { append(decided, decided_count, rule); }
  constexpr void note(const Entered& step) { append(entered, entered_count, step); }
  constexpr void note(const Combined& step) { append(combined, combined_count, step); }

 private:
  template <class T, std::size_t N>
  static constexpr void append(std::array<T, N>& list, int& count, const T& item) {
    if (count < static_cast<int>(N)) list[count++] = item;
  }
};

/// A set of rules that notes in a trace which of them are used. A function must ask for a rule only
/// if that rule decides something.
struct TracedRules {
  constexpr TracedRules(const Rules& used, PromotionTrace* noted = nullptr)
      : rules(&used), trace(noted) {}

  const Rules* rules;
  PromotionTrace* trace;  // where the rules' use is noted; null: nowhere

  constexpr bool holds(Rule rule) const {
    if (trace != nullptr) trace->note(rule);
    return rules->holds(rule);
  }
  /// `decided`, a dtype, slot or rule that `rule` gives. If the rule does not hold,
  /// Rules::otherwise gives the answer instead.
  template <class T>
  constexpr T decide(Rule rule, T decided) const {
    if (holds(rule) || rules->otherwise == nullptr) return decided;
    return static_cast<T>(rules->otherwise(rule, static_cast<std::uint8_t>(decided)));
  }
};

}  // namespace upcast
