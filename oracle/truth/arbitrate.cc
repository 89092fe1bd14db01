#include "oracle/truth/arbitrate.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "cases/literal.h"
#include "impl/core/cast.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

double element_value(const Answer& answer, std::size_t i) {
  double value = 0;
  cast_elements(answer.dtype,
                answer.bytes.data() + i * static_cast<std::size_t>(itemsize(answer.dtype)),
                DType::kFloat64, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

/// Where the i-th element in logical order lies in memory, in elements.
std::size_t place_of(const Answer& answer, std::size_t i) {
  std::int64_t place = 0;
  auto rest = static_cast<std::int64_t>(i);
  for (std::size_t d = answer.sizes.size(); d-- > 0;) {
    place += rest % answer.sizes[d] * answer.strides[d];
    rest /= answer.sizes[d];
  }
  return static_cast<std::size_t>(place);
}

bool same_value(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

double error_in_ulp(DType dtype, double answer, double rounded, const Value& value) {
  if (same_value(answer, rounded)) return 0;
  if (!std::isfinite(answer) || !std::isfinite(rounded) || answer == rounded)
    return std::numeric_limits<double>::infinity();
  return std::abs((answer - value.high) - value.low) / ulp_of(dtype, value.high);
}

Arbitration undecidable(std::string why) {
  Arbitration arbitration;
  arbitration.why = std::move(why);
  return arbitration;
}

}  // namespace

std::string Arbitration::text() const {
  if (off == Off::kUndecidable) return "who is right is undecided: " + why;
  const auto error = [](double ulp) {
    return std::isinf(ulp) ? "a special value out of place" : fmt::format("{:.3g} ulp", ulp);
  };
  return fmt::format("truth {}: {} (subject {}, oracle {})", truth, name(off), error(subject_ulp),
                     error(oracle_ulp));
}

Arbitration arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  if (!is_floating(oracle.dtype)) return undecidable("no truth over a result that is not real");
  TruthSubject truth;
  Answer right;
  truth.answer(c, right);
  if (right.tag != Answer::Tag::kTensor)
    return undecidable(right.tag == Answer::Tag::kNotJudged ? right.detail
                                                            : "our promotion refuses the call");
  if (right.dtype != oracle.dtype || right.sizes != oracle.sizes || truth.exact().empty())
    return undecidable("the truth has another dtype or shape");
  const std::vector<std::size_t> differing = differing_elements(c, subject, oracle, sides);
  if (differing.empty()) return undecidable("no element differs");

  Arbitration arbitration;
  arbitration.element = differing.front();
  const Value& value = truth.exact()[place_of(right, arbitration.element)];
  const double rounded = element_value(right, arbitration.element);
  const DType grain = truth.common_dtype();
  arbitration.subject_ulp =
      error_in_ulp(grain, element_value(subject, arbitration.element), rounded, value);
  arbitration.oracle_ulp =
      error_in_ulp(grain, element_value(oracle, arbitration.element), rounded, value);
  arbitration.truth = print_element(
      right.dtype,
      right.bytes.data() + arbitration.element * static_cast<std::size_t>(itemsize(right.dtype)));
  const bool subject_off = arbitration.subject_ulp > accuracy_bound(c, grain, sides.subject);
  const bool oracle_off = arbitration.oracle_ulp > accuracy_bound(c, grain, sides.oracle);
  if (subject_off == oracle_off)
    arbitration.off = subject_off ? Off::kBoth : Off::kUndecidable;
  else
    arbitration.off = subject_off ? Off::kSubject : Off::kOracle;
  if (arbitration.off == Off::kUndecidable)
    arbitration.why = fmt::format("subject {:.3g} ulp, oracle {:.3g} ulp, each within its bound",
                                  arbitration.subject_ulp, arbitration.oracle_ulp);
  return arbitration;
}

std::string arbitration_text(const Case& c, const Answer& subject, const Answer& oracle,
                             Sides sides) {
  return arbitrate(c, subject, oracle, sides).text();
}

}  // namespace upcast::truth
