// A record of how promotion decided. The functions of promotion that are given a trace note each of
// their steps in it.
#pragma once

#include <optional>
#include <span>

#include "impl/promotion/rules.h"

namespace upcast {

/// What promotion sees of an operand's shape. Priority falls from kDim to kWrapped.
enum class Kind : std::uint8_t { kDim, kZeroDim, kWrapped };

constexpr std::string_view name(Kind kind) {
  constexpr std::array<std::string_view, 3> kNames{"dim", "zero_dim", "wrapped"};
  return kNames[static_cast<int>(kind)];
}

/// An operand as promotion sees it. dtype kUndefined: an undefined tensor.
struct TypedOperand {
  DType dtype = DType::kUndefined;
  Kind kind = Kind::kDim;

  constexpr bool operator==(const TypedOperand&) const = default;
};

/// The state of result_type: a dtype for each kind of operand, kUndefined before the first one.
struct ResultTypeState {
  DTypeResult dim, zero_dim, wrapped;

  constexpr DTypeResult& slot(Kind kind) {
    return kind == Kind::kDim ? dim : kind == Kind::kZeroDim ? zero_dim : wrapped;
  }
};

enum class PromotionKind : std::uint8_t;

/// The steps of promotion, in order. The lists are long enough for every op; more is cut off.
struct PromotionTrace {
  /// An operand has entered its slot.
  struct Entered {
    TypedOperand operand;
    DType as = DType::kUndefined;  // the dtype with which it entered
    Rule rule = Rule::kCount;      // why it entered with that dtype, or entered this slot
    ResultTypeState slots;         // after it has
  };
  /// Two slots have combined. First zero_dim combines with wrapped, then dim with the outcome.
  struct Combined {
    DTypeResult higher, lower, result;
    Rule rule = Rule::kCount;  // kCount: one of them is empty or an error, the other is the result
  };

  std::array<Rule, 48> decided{};  // in order
  int decided_count = 0;
  std::array<Entered, 4> entered{};
  int entered_count = 0;
  std::array<Combined, 2> combined{};
  int combined_count = 0;
  /// The inputs have one dtype, and one of them has dimensions: nothing enters a slot.
  bool keeps_one_dtype = false;
  std::optional<PromotionKind> kind{};  // whose builder ran; none for an op's rule of its own
  DType cast_from = DType::kUndefined;  // the cast to the output that the caller gives;
  DType cast_to = DType::kUndefined;    // kUndefined: none

  constexpr std::span<const Rule> rules() const { return std::span(decided).first(decided_count); }
  /// The rule that decided next after the first `count` decisions; kCount if none did.
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

/// Rules that note their use. A function asks for a rule only where it decides something.
struct TracedRules {
  constexpr TracedRules(const Rules& used, PromotionTrace* noted = nullptr)
      : rules(&used), trace(noted) {}

  const Rules* rules;
  PromotionTrace* trace;  // null: nothing is noted

  constexpr bool holds(Rule rule) const {
    if (trace != nullptr) trace->note(rule);
    return rules->holds(rule);
  }
  /// The answer where `rule` decided `decided` (a dtype, slot or rule). If the rule does not hold,
  /// Rules::otherwise gives the answer.
  template <class T>
  constexpr T decide(Rule rule, T decided) const {
    if (holds(rule) || rules->otherwise == nullptr) return decided;
    return static_cast<T>(rules->otherwise(rule, static_cast<std::uint8_t>(decided)));
  }
};

}  // namespace upcast
