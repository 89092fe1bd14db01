#include "fuzz/findings/strength.h"

#include <tuple>

#include "cases/notation.h"
#include "impl/core/error.h"

namespace upcast::fuzz {
namespace {

/// How hard a relative error is to notice: 0 for 10 % or more, 1 for 0.1 % or more, else 2.
int faintness_of(double error) { return error >= 0.1 ? 0 : error >= 1e-3 ? 1 : 2; }

}  // namespace

bool Strength::operator<(const Strength& other) const {
  const auto key = [](const Strength& s) {
    return std::make_tuple(s.severity, s.faintness, s.is_extreme, s.rarity, s.form, -s.error,
                           s.length);
  };
  return key(*this) < key(other);
}

Strength strength_of(const Finding& finding, Sides sides, Role wrong) {
  const VerdictCode found = finding.verdict.found;
  FaultFacts facts{.kind = kind_of(found),
                   .is_ordinary = is_ordinary(finding.c),
                   .is_experimental = is_experimental(finding.c)};
  Strength strength{.is_extreme = !facts.is_ordinary,
                    .rarity = rarity(finding.c),
                    .form = finding.c.form,
                    .length = print_case(finding.c).size()};
  if (found == VerdictCode::kDifferValue) {
    const std::vector<ElementError> errors =
        element_errors(finding.c, finding.subject.answer, finding.oracle.answer, sides, wrong);
    check(!errors.empty(), "a difference in values has an element that differs");
    facts.has_element_of_other_kind = errors.front().is_of_other_kind();
    strength.error = errors.front().relative;
    strength.element = static_cast<std::size_t>(errors.front().element);
    strength.faintness = faintness_of(strength.error);
  }
  strength.severity = severity_of(facts);
  return strength;
}

}  // namespace upcast::fuzz
