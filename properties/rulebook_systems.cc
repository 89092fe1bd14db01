#include "properties/rulebook_systems.h"

#include "impl/promotion/rulebooks/rulebooks.h"

namespace upcast::properties {
namespace {

using rulebooks::Rank;

class BookPromotion : public Promotion {
 public:
  explicit BookPromotion(const rulebooks::RuleBook& book) : book_(book) {}

  /// A system without such a function has a table of promotion all the same: that of add.
  std::optional<DType> promote_types(DType a, DType b) const override {
    const std::vector<rulebooks::Operand> operands{{a, Rank::kDim}, {b, Rank::kDim}};
    const rulebooks::Question question{.op = "promote_types", .operands = operands};
    const bool has_none = rulebooks::ask(book_, question).tag == rulebooks::Reply::Tag::kOutside;
    return ask(has_none ? "add" : "promote_types", operands, {});
  }
  std::optional<DType> result_type(std::span<const TypedOperand> typed,
                                   Defaults defaults) const override {
    std::vector<rulebooks::Operand> operands;
    for (const TypedOperand& operand : typed)
      if (operand.dtype != DType::kUndefined) operands.push_back(operand_of(operand));
    if (operands.empty() || operands.size() > 2) return std::nullopt;
    return ask("result_type", operands, defaults);
  }
  std::optional<bool> can_cast(DType, DType) const override { return std::nullopt; }

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
    // a Python number is a bool, an int, a float or a complex, whatever it was made of
    const DType number = is_bool(operand.dtype)       ? DType::kBool
                         : is_integral(operand.dtype) ? DType::kInt64
                         : is_complex(operand.dtype)  ? DType::kComplex128
                                                      : DType::kFloat64;
    return {number, Rank::kNumber};
  }
  std::optional<DType> ask(std::string_view op, const std::vector<rulebooks::Operand>& operands,
                           Defaults defaults) const {
    const rulebooks::Reply reply =
        rulebooks::ask(book_, {.op = op, .operands = operands, .default_dtype = defaults.floating});
    return reply.ok() ? std::optional(reply.dtype) : std::nullopt;
  }

  const rulebooks::RuleBook& book_;
};

/// A book of unary functions has nothing to promote.
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

}  // namespace upcast::properties
