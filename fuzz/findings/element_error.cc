#include "fuzz/findings/element_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "impl/core/dtype_set.h"
#include "oracle/same_value.h"
#include "oracle/ulp.h"

namespace upcast::fuzz {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The grade of the worst errors: NaN or an infinity in the place of a number other than 0.
constexpr int kNumberIsLost = 3;
/// The grade of NaN or an infinity in the place of 0, and of any wrong value in the place of NaN or
/// an infinity.
constexpr int kOutOfPlace = 2;
/// The grade of a wrong number in the place of a number that is not 0. Such errors are compared by
/// relative error.
constexpr int kOfANumber = 1;
/// The grade of a wrong number in the place of 0. Such an error has no relative size, and may be
/// tiny.
constexpr int kOfZero = 0;

/// The error of one part of an element, where `wrong` and `right` are different values.
ElementError error_of(double wrong, double right) {
  const bool is_lost = std::isfinite(right) && right != 0;
  const auto out_of_place = [is_lost](std::string kind) {
    return ElementError{.wrong_kind = std::move(kind),
                        .relative = kInfinite,
                        .grade = is_lost ? kNumberIsLost : kOutOfPlace};
  };
  const std::string right_name = std::isnan(right)   ? "NaN"
                                 : std::isinf(right) ? "an infinity"
                                                     : "a finite value";
  if (std::isnan(wrong)) return out_of_place("NaN for " + right_name);
  if (std::isinf(wrong))
    return out_of_place(std::isinf(right) ? "the other infinity" : "an infinity for " + right_name);
  if (!std::isfinite(right)) return out_of_place("a finite value for " + right_name);
  if (right == 0 && wrong == 0) return {.wrong_kind = "the other zero", .grade = kOfZero};
  if (right == 0)
    return {.wrong_kind = "a number for zero", .relative = kInfinite, .grade = kOfZero};
  return {.wrong_kind = wrong == 0 ? "zero for a number" : "",
          .relative = distance_to(wrong, right) / std::abs(right),
          .grade = kOfANumber};
}

ElementError error_of(DType dtype, const std::byte* wrong, const std::byte* right) {
  if (!kElementwise.contains(dtype))
    return {.wrong_kind = "other bits", .relative = kInfinite, .grade = kOutOfPlace};
  const ElementParts a = parts_of(dtype, wrong);
  const ElementParts b = parts_of(dtype, right);
  ElementError worst;
  bool is_first = true;
  for (std::size_t part = 0; part < (is_complex(dtype) ? 2U : 1U); ++part) {
    if (same_value(a[part], b[part])) continue;
    ElementError error = error_of(a[part], b[part]);
    if (!is_first && !error.worse_than(worst)) continue;
    worst = std::move(error);
    is_first = false;
  }
  return worst;
}

void add_errors(const Case& c, const Answer& subject, const Answer& oracle, Sides sides, Role wrong,
                int result, std::vector<ElementError>& errors) {
  if (subject.dtype != oracle.dtype || subject.bytes.size() != oracle.bytes.size()) return;
  const Answer& off = wrong == Role::kSubject ? subject : oracle;
  const Answer& right = wrong == Role::kSubject ? oracle : subject;
  const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
  for (const std::size_t i : differing_elements(c, subject, oracle, sides)) {
    ElementError error =
        error_of(oracle.dtype, off.bytes.data() + i * size, right.bytes.data() + i * size);
    error.element = static_cast<std::int64_t>(i);
    error.result = result;
    errors.push_back(std::move(error));
  }
}

}  // namespace

bool ElementError::worse_than(const ElementError& other) const {
  return std::tie(grade, relative) > std::tie(other.grade, other.relative);
}

bool ElementError::is_of_other_kind() const { return grade >= kOutOfPlace; }

std::string ElementError::text() const {
  return wrong_kind.empty() ? fmt::format("relative error {:.2g}", relative) : wrong_kind;
}

std::vector<ElementError> element_errors(const Case& c, const Answer& subject, const Answer& oracle,
                                         Sides sides, Role wrong) {
  std::vector<ElementError> errors;
  if (subject.tag != Answer::Tag::kTensor || oracle.tag != Answer::Tag::kTensor) return errors;
  add_errors(c, subject, oracle, sides, wrong, 0, errors);
  for (std::size_t i = 0; i < std::min(subject.further.size(), oracle.further.size()); ++i)
    add_errors(c, subject.further[i], oracle.further[i], sides, wrong, static_cast<int>(i) + 1,
               errors);
  std::stable_sort(errors.begin(), errors.end(),
                   [](const auto& a, const auto& b) { return a.worse_than(b); });
  return errors;
}

bool is_of_the_order(const ElementError& found, const ElementError& first) {
  return found.wrong_kind == first.wrong_kind && found.relative >= kKeptPart * first.relative;
}

}  // namespace upcast::fuzz
