#include "fuzz/findings/strength.h"

#include <cmath>
#include <limits>
#include <tuple>

#include "cases/notation.h"
#include "oracle/same_value.h"

namespace upcast::fuzz {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What nobody overlooks is 0.
int faintness_of(double error) { return error >= 0.1 ? 0 : error >= 1e-3 ? 1 : 2; }

bool same_class(double a, double b) {
  return std::isfinite(a) == std::isfinite(b) && std::isnan(a) == std::isnan(b);
}

}  // namespace

ElementError element_error(DType dtype, const std::byte* right, const std::byte* wrong) {
  const ElementParts a = parts_of(dtype, right), b = parts_of(dtype, wrong);
  if (!same_class(a[0], b[0]) || !same_class(a[1], b[1])) return {true, kInfinity};
  const auto distance = [](double x, double y) { return std::isfinite(x) ? x - y : 0; };
  const double off = std::hypot(distance(b[0], a[0]), distance(b[1], a[1]));
  const bool opposite = std::isinf(a[0]) && a[0] != b[0];
  if (opposite) return {true, kInfinity};
  return {false, off == 0 ? 0 : off / std::hypot(a[0], a[1])};
}

bool Strength::operator<(const Strength& other) const {
  const auto key = [](const Strength& s) {
    return std::make_tuple(s.severity, s.faintness, s.is_extreme, s.rarity, s.form, -s.error,
                           s.length);
  };
  return key(*this) < key(other);
}

Strength strength_of(const Finding& finding, Sides sides, Role wrong_side) {
  const VerdictCode found = finding.verdict.found;
  FaultFacts facts{.kind = kind_of(found),
                   .is_ordinary = is_ordinary(finding.c),
                   .is_experimental = is_experimental(finding.c)};
  Strength strength{.is_extreme = !facts.is_ordinary,
                    .rarity = rarity(finding.c),
                    .form = finding.c.form,
                    .length = print_case(finding.c).size()};
  if (found == VerdictCode::kDifferValue) {
    const bool is_subject = wrong_side == Role::kSubject;
    const Answer& right = (is_subject ? finding.oracle : finding.subject).answer;
    const Answer& wrong = (is_subject ? finding.subject : finding.oracle).answer;
    const auto size = static_cast<std::size_t>(itemsize(right.dtype));
    for (const std::size_t i :
         differing_elements(finding.c, finding.subject.answer, finding.oracle.answer, sides)) {
      const ElementError error =
          element_error(right.dtype, right.bytes.data() + i * size, wrong.bytes.data() + i * size);
      facts.has_element_of_other_kind |= error.is_of_other_kind;
      if (error.relative <= strength.error) continue;
      strength.error = error.relative;
      strength.element = i;
    }
    strength.faintness = faintness_of(strength.error);
  }
  strength.severity = severity_of(facts);
  return strength;
}

}  // namespace upcast::fuzz
