#include "properties/property.h"

#include <array>

#include "oracle/impl_subject.h"
#include "properties/checks.h"

namespace upcast::properties {
namespace {

constexpr std::string_view kControlName = "control";

/// The dtype that is used wherever every system must have it.
constexpr DType kCommon = DType::kFloat32;

bool promotes_operands(const Promotion& promotion) {
  constexpr std::array<TypedOperand, 2> kTwo{{{kCommon, Kind::kDim}, {kCommon, Kind::kDim}}};
  return promotion.result_type(kTwo, {}).has_value();
}

Rules rules_of(const Control& control) {
  return control.rules == nullptr ? kPyTorchRules : control.rules();
}

/// Our implementation with a control's mistake: other rules, or a function that spoils its answers.
class BrokenSubject : public Subject {
 public:
  explicit BrokenSubject(const Control& control)
      : control_(control), rules_(rules_of(control)), inner_(rules_) {}
  void answer(const Case& c, Answer& answer) override {
    inner_.answer(c, answer);
    if (control_.spoil != nullptr) control_.spoil(c, answer);
  }
  Storages storages(const Case& c) override {
    Storages storages = inner_.storages(c);
    if (control_.spoil_storages != nullptr) control_.spoil_storages(c, storages);
    return storages;
  }

 private:
  Control control_;
  Rules rules_;  // must be destroyed after inner_, which refers to the rules
  ImplSubject inner_;
};

}  // namespace

Check of_answer(void (*check)(const System& system, const Case& c, const Answer& answer)) {
  return [check](const System& system, const Case& c) {
    const Answer answer = system.answer(c);
    if (answered(answer)) check(system, c, answer);
    return finding_of(answer);
  };
}

Property law(Asks asks, std::string_view name, std::string_view claim, const Generator& generator,
             Check check, Control control, std::vector<Exclusion> exclusions,
             int meaningful_percent) {
  return {name,
          claim,
          asks,
          &generator,
          std::move(check),
          control,
          std::move(exclusions),
          meaningful_percent};
}

Property law(std::string_view name, std::string_view claim, const Generator& generator, Check check,
             Control control, std::vector<Exclusion> exclusions, int meaningful_percent) {
  return law(Asks::kCalls, name, claim, generator, std::move(check), control, std::move(exclusions),
             meaningful_percent);
}

bool concerns(const Exclusion& exclusion, const System& system) {
  const Vendor vendor = parse_side(system.name).vendor;
  const bool is_pytorch = vendor == Vendor::kUpcast || vendor == Vendor::kLibTorch ||
                          system.name == "rulebook:pytorch" || system.name == kControlName;
  return exclusion.system == system.name || exclusion.system == kEverySystem ||
         (exclusion.system == kPyTorch && is_pytorch);
}

bool answers(const Property& property, const System& system) {
  switch (property.asks) {
    case Asks::kPromotion:
      return true;
    case Asks::kPriorities:
      return system.subject != nullptr || promotes_operands(*system.promotion);
    case Asks::kCasts:
      return system.subject != nullptr || system.promotion->can_cast(kCommon, kCommon).has_value();
    case Asks::kUndefined:
    case Asks::kCalls:
      return system.subject != nullptr;
    case Asks::kCodecs:
    case Asks::kIterator:
      return system.name == "impl:cpu";
  }
  return false;
}

bool applies(const Property& property, const System& system) {
  for (const Exclusion& exclusion : property.exclusions)
    if (concerns(exclusion, system) && exclusion.covers_everything()) return false;
  for (const Break& broken : rulebook_breaks())
    if (broken.property == property.name && broken.system == system.name) return false;
  return answers(property, system);
}

bool is_silent(const Property& property, const System& system) {
  for (const Break& silence : rulebook_silences())
    if (silence.property == property.name && silence.system == system.name) return true;
  return false;
}

System make_control(const Control& control) {
  System system{std::string(kControlName), make_promotion(rules_of(control), control.promotion),
                std::make_shared<BrokenSubject>(control)};
  if (control.spoil_codecs != nullptr) control.spoil_codecs(system.codecs);
  if (control.spoil_iterator != nullptr) control.spoil_iterator(system.iterator);
  return system;
}

}  // namespace upcast::properties
