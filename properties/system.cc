#include "properties/system.h"

#include <algorithm>
#include <array>

#include "cases/notation.h"
#include "oracle/host/answer_codec.h"

namespace upcast::properties {
namespace {

std::optional<DType> defined(DTypeResult result) {
  if (!result.ok() || result.dtype() == DType::kUndefined) return std::nullopt;
  return result.dtype();
}

class OurPromotion : public Promotion {
 public:
  OurPromotion(const Rules& rules, const PromotionFunctions& functions)
      : rules_(rules), functions_(functions) {}

  std::optional<DType> promote_types(DType a, DType b) const override {
    return functions_.promote_types ? functions_.promote_types(a, b)
                                    : defined(upcast::promote_types(a, b, rules_));
  }
  std::optional<DType> result_type(std::span<const TypedOperand> operands,
                                   Defaults defaults) const override {
    return functions_.result_type ? functions_.result_type(operands, defaults)
                                  : defined(upcast::result_type(operands, defaults, rules_));
  }
  std::optional<bool> can_cast(DType from, DType to) const override {
    return functions_.can_cast ? functions_.can_cast(from, to) : upcast::can_cast(from, to, rules_);
  }

 private:
  Rules rules_;
  PromotionFunctions functions_;
};

}  // namespace

std::optional<TypedOperand> Promotion::combine(TypedOperand a, TypedOperand b,
                                               Defaults defaults) const {
  const std::array<TypedOperand, 2> both{a, b};
  const std::optional<DType> dtype = result_type(both, defaults);
  return dtype ? std::optional(TypedOperand{*dtype, std::min(a.kind, b.kind)}) : std::nullopt;
}

const Codecs kOurCodecs{&print_case, &parse_case, &encode_answer, &decode_answer};

std::shared_ptr<const Promotion> make_promotion(const Rules& rules,
                                                const PromotionFunctions& functions) {
  return std::make_shared<OurPromotion>(rules, functions);
}

Answer System::answer(const Case& c) const {
  Answer answer;
  subject->answer(c, answer);
  return answer;
}

System make_impl_system(std::string_view name) {
  return {std::string(name), make_promotion(kPyTorchRules), make_subject(name)};
}

}  // namespace upcast::properties
