#include "properties/rulebook_systems.h"

#include <algorithm>

#include "impl/core/error.h"
#include "impl/promotion/rulebooks/rulebooks.h"

namespace upcast::properties {
namespace {

using rulebooks::Rank;
using rulebooks::Reply;

bool is_silent(const Reply& reply) { return reply.tag == Reply::Tag::kOutside; }

class BookPromotion : public Promotion {
 public:
  explicit BookPromotion(const rulebooks::RuleBook& book) : book_(book) {}

  std::optional<DType> promote_types(DType a, DType b) const override {
    const std::vector<rulebooks::Operand> operands{{a, Rank::kDim}, {b, Rank::kDim}};
    return dtype_of(ask_or("promote_types", "add", operands, {}, rulebooks::Form::kFunction));
  }
  /// The result_type of operands without undefined tensors, because only PyTorch has them.
  std::optional<DType> result_type(std::span<const TypedOperand> typed,
                                   Defaults defaults) const override {
    return dtype_of(result_of(typed, defaults));
  }
  std::optional<TypedOperand> combine(TypedOperand a, TypedOperand b,
                                      Defaults defaults) const override {
    const std::array<TypedOperand, 2> both{a, b};
    const Reply reply = result_of(both, defaults);
    if (!reply.ok()) return std::nullopt;
    return TypedOperand{reply.dtype, reply.weak ? Kind::kWrapped : std::min(a.kind, b.kind)};
  }
  /// NumPy's can_cast, which by default asks for safe casts.
  std::optional<bool> can_cast(DType from, DType to) const override {
    const std::vector<rulebooks::Operand> operands{{from, Rank::kDim}, {to, Rank::kDim}};
    const Reply reply =
        ask_or("can_cast", "can_cast.safe", operands, {}, rulebooks::Form::kFunction);
    return is_silent(reply) ? std::nullopt : std::optional(reply.ok());
  }
  bool knows(DType dtype) const override { return book_.dtypes.contains(dtype); }
  bool knows_all() const override { return false; }

 private:
  static rulebooks::Operand operand_of(TypedOperand operand) {
    switch (operand.kind) {
      case Kind::kDim:
        return {operand.dtype, Rank::kDim};
      case Kind::kZeroDim:
        return {operand.dtype, Rank::kZeroDim};
      case Kind::kWrapped:
        break;
    }
    // A Python number is a bool, an int, a float or a complex, whatever dtype the number of the
    // case has.
    const DType number = is_bool(operand.dtype)       ? DType::kBool
                         : is_integral(operand.dtype) ? DType::kInt64
                         : is_complex(operand.dtype)  ? DType::kComplex128
                                                      : DType::kFloat64;
    // A uint64 stands for an integer beyond int64.
    return {number, Rank::kNumber, operand.dtype == DType::kUInt64 ? 0x1p63L : 1};
  }
  /// Asks a rule book about an op. A rule book without that op is asked about another one that
  /// shows its promotion: a + b.
  Reply ask_or(std::string_view op, std::string_view other,
               const std::vector<rulebooks::Operand>& operands, Defaults defaults,
               rulebooks::Form form) const {
    const rulebooks::Question question{
        .op = op, .operands = operands, .form = form, .default_dtype = defaults.floating};
    const Reply reply = rulebooks::ask(book_, question);
    if (!is_silent(reply)) return reply;
    rulebooks::Question again = question;
    again.op = other;
    return rulebooks::ask(book_, again);
  }
  Reply result_of(std::span<const TypedOperand> typed, Defaults defaults) const {
    std::vector<rulebooks::Operand> operands;
    for (const TypedOperand& operand : typed)
      if (operand.dtype != DType::kUndefined) operands.push_back(operand_of(operand));
    if (operands.empty()) return rulebooks::outside("no operand has a dtype");
    return ask_or("result_type", "add", operands, defaults, rulebooks::Form::kOperator);
  }
  static std::optional<DType> dtype_of(const Reply& reply) {
    return reply.ok() ? std::optional(reply.dtype) : std::nullopt;
  }

  const rulebooks::RuleBook& book_;
};

/// Whether a rule book promotes pairs of dtypes. Some are about unary functions only.
bool promotes_pairs(const Promotion& promotion) {
  for (int a = 0; a < kDTypeCount; ++a)
    for (int b = 0; b < kDTypeCount; ++b)
      if (promotion.promote_types(static_cast<DType>(a), static_cast<DType>(b))) return true;
  return false;
}

}  // namespace

std::vector<System> rulebook_systems() {
  std::vector<System> systems;
  for (const rulebooks::RuleBook* book : rulebooks::kRuleBooks) {
    const auto promotion = std::make_shared<BookPromotion>(*book);
    if (promotes_pairs(*promotion))
      systems.push_back({"rulebook:" + std::string(book->name), promotion});
  }
  return systems;
}

System rulebook_system(std::string_view name) {
  for (const System& system : rulebook_systems())
    if (system.name == name) return system;
  check(false, "rulebook_system: a rule book that promotes");
  return {};
}

}  // namespace upcast::properties
