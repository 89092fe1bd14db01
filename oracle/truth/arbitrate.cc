#include "oracle/truth/arbitrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "cases/literal.h"
#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"
#include "oracle/error_bounds.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

constexpr double kHalf = 0.5;  // the error of a correct rounding, in ulp

struct Parts {
  std::array<double, 2> values{};
  std::size_t count = 1;
};

Parts parts_of(const Answer& answer, std::size_t i) {
  Parts parts{.count = is_complex(answer.dtype) ? 2U : 1U};
  cast_elements(answer.dtype,
                answer.bytes.data() + i * static_cast<std::size_t>(itemsize(answer.dtype)),
                DType::kComplex128, reinterpret_cast<std::byte*>(parts.values.data()), 1);
  return parts;
}

bool same_value(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// What an element is: rounded, and as near as it is known.
struct Right {
  Parts rounded;
  std::array<Value, 2> exact{};
  double ulp = 0;  // one ulp at it, of the larger part where it is complex
  double leeway = 0;
  double narrowing = 0;  // what an out= of fewer digits may add to an error
  double largest = 0;    // finite, of the dtypes that the value passed through
  double beyond = 0;     // one ulp at it
};

/// How far `found` is from the exact value. An infinity stands for the power of two that is too
/// large for the dtype (as in OpenCL's conformance suite), where that is within `bound` ulp: what
/// may err by so much may overflow.
std::optional<double> distance(double found, const Value& exact, const Right& right, double bound) {
  if (std::isnan(found) || !std::isfinite(exact.high)) return std::nullopt;
  if (std::isfinite(found)) return std::abs((found - exact.high) - exact.low);
  const double short_of = (right.largest - std::abs(exact.high)) + right.beyond;
  const bool may_overflow = std::signbit(found) == std::signbit(exact.high) &&
                            short_of - right.leeway - right.narrowing <= bound * right.ulp;
  return may_overflow ? std::optional(short_of) : std::nullopt;
}

/// Whether what may err by `bound` may lie on the other side of 0, and an out= of fewer digits
/// makes a zero of it that has the other sign.
bool may_cross_zero(double exact, const Right& right, double bound) {
  return right.narrowing > 0 && exact > 0 && exact <= bound * right.ulp;
}

/// In ulp; infinite where a special value is out of place.
double error_in_ulp(const Parts& answer, const Right& right, double bound) {
  double error = 0;
  for (std::size_t part = 0; part < answer.count; ++part) {
    const double found = answer.values[part];
    const double rounded = right.rounded.values[part];
    if (same_value(found, rounded)) continue;
    const std::optional<double> apart = distance(found, right.exact[part], right, bound);
    const bool is_zero_of_another_sign = found == rounded && right.leeway == 0;
    if (!apart || (is_zero_of_another_sign && !may_cross_zero(*apart, right, bound)))
      return std::numeric_limits<double>::infinity();
    error = std::max(error, (*apart - right.leeway - right.narrowing) / right.ulp);
  }
  return error;
}

/// Integers and bools: right or wrong.
double error_of_bytes(const Answer& answer, const Answer& right, std::size_t i) {
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  const bool same =
      std::memcmp(answer.bytes.data() + i * size, right.bytes.data() + i * size, size) == 0;
  return same ? 0 : std::numeric_limits<double>::infinity();
}

/// Whether a side may be off the correctly rounded value at all: then it may also lie on the other
/// side of a middle between two values of an out= dtype.
bool may_err(const Case& c, DType common) {
  return accuracy_bound(c, common, Implementation::kOurs) > kHalf ||
         accuracy_bound(c, common, Implementation::kLibTorchNative) > kHalf;
}

Right right_element(const Case& c, const TruthSubject& truth, const Answer& answer, std::size_t i) {
  Right right{.rounded = parts_of(answer, i),
              .leeway = answer.leeway.empty() ? 0 : answer.leeway[i]};
  const DType grain = to_real(truth.common_dtype());
  const DType narrowest =
      largest_finite(grain) < largest_finite(to_real(answer.dtype)) ? grain : to_real(answer.dtype);
  right.largest = largest_finite(narrowest);
  right.beyond = ulp_of(narrowest, right.largest);
  const std::span<const Value> exact =
      truth.exact().empty() ? std::span<const Value>() : truth.exact(answer, i);
  for (std::size_t part = 0; part < right.rounded.count; ++part) {
    const double rounded = right.rounded.values[part];
    right.exact[part] =
        part < exact.size() ? exact[part] : Value{.rounded = rounded, .high = rounded};
    const double size = std::max(std::abs(right.exact[part].high), c.op->spec->accuracy.scale);
    if (!std::isfinite(size)) continue;
    right.ulp = std::max(right.ulp, ulp_of(grain, size));
    const double narrowed = ulp_of(to_real(answer.dtype), size);
    if (may_err(c, truth.common_dtype()) && narrowed > ulp_of(grain, size))
      right.narrowing = std::max(right.narrowing, narrowed / 2);
  }
  return right;
}

Arbitration undecidable(std::string why) {
  Arbitration arbitration;
  arbitration.why = std::move(why);
  return arbitration;
}

struct Truth {
  const TruthSubject& subject;
  const Answer& right;
};

std::string text_of_element(const Answer& answer, std::size_t i) {
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  return print_element(answer.dtype, answer.bytes.data() + i * size);
}

/// By both errors. Two values that differ are both right only where an op may err at all: an exact
/// one that was not rounded to the common dtype is within half an ulp of it too.
void blame(double subject_bound, double oracle_bound, Arbitration& arbitration) {
  const bool subject_off = arbitration.subject_ulp > subject_bound;
  const bool oracle_off = arbitration.oracle_ulp > oracle_bound;
  if (subject_off == oracle_off)
    arbitration.off = subject_off ? Off::kBoth : Off::kUndecidable;
  else
    arbitration.off = subject_off ? Off::kSubject : Off::kOracle;
  if (subject_off || oracle_off) return;
  arbitration.both_are_right = std::max(subject_bound, oracle_bound) > kHalf;
  arbitration.why = fmt::format("subject {:.3g} ulp, oracle {:.3g} ulp, each within its bound",
                                arbitration.subject_ulp, arbitration.oracle_ulp);
}

Arbitration arbitrate_element(const Case& c, Truth truth, const Answer& subject,
                              const Answer& oracle, Sides sides, std::size_t i) {
  const Answer& right = truth.right;
  const DType grain = truth.subject.common_dtype();
  if (!right.leeway.empty() && std::isinf(right.leeway[i]))
    return undecidable("no truth: the element is not decided");
  Arbitration arbitration;
  arbitration.element = i;
  const double subject_bound = accuracy_bound(c, grain, sides.subject);
  const double oracle_bound = accuracy_bound(c, grain, sides.oracle);
  if (is_floating(to_real(right.dtype)) && is_floating(to_real(grain))) {
    const Right element = right_element(c, truth.subject, right, i);
    arbitration.subject_ulp = error_in_ulp(parts_of(subject, i), element, subject_bound);
    arbitration.oracle_ulp = error_in_ulp(parts_of(oracle, i), element, oracle_bound);
  } else {
    arbitration.subject_ulp = error_of_bytes(subject, right, i);
    arbitration.oracle_ulp = error_of_bytes(oracle, right, i);
  }
  arbitration.truth = text_of_element(right, i);
  blame(subject_bound, oracle_bound, arbitration);
  return arbitration;
}

/// Of elements that differ the first where the subject is off, or the first one where not both are
/// right, or the first one.
template <class ArbitrateElement>
Arbitration first_of(const std::vector<std::size_t>& differing, ArbitrateElement arbitrate_one) {
  Arbitration first;
  for (const std::size_t i : differing) {
    Arbitration found = arbitrate_one(i);
    if (found.off == Off::kSubject || found.off == Off::kBoth) return found;
    if (i == differing.front() || (first.both_are_right && !found.both_are_right))
      first = std::move(found);
  }
  return first;
}

/// A result behind the first is whole numbers (frexp's exponents): right or wrong.
Arbitration arbitrate_further(const Case& c, const Answer& right, const Answer& subject,
                              const Answer& oracle, Sides sides) {
  for (std::size_t k = 0; k < oracle.further.size(); ++k) {
    if (k >= subject.further.size() || k >= right.further.size())
      return undecidable("the truth has another number of results");
    const Answer& truth = right.further[k];
    const Answer& a = subject.further[k];
    const Answer& b = oracle.further[k];
    for (const Answer* side : {&a, &b})
      if (side->dtype != truth.dtype || side->bytes.size() != truth.bytes.size())
        return undecidable("the truth has another dtype or shape");
    const std::vector<std::size_t> differing = differing_elements(c, a, b, sides);
    if (differing.empty()) continue;
    if (is_floating(to_real(truth.dtype))) return undecidable("no truth of that result");
    return first_of(differing, [&](std::size_t i) {
      Arbitration found;
      found.result = k + 1;
      found.element = i;
      found.subject_ulp = error_of_bytes(a, truth, i);
      found.oracle_ulp = error_of_bytes(b, truth, i);
      found.truth = text_of_element(truth, i);
      blame(0, 0, found);
      return found;
    });
  }
  return undecidable("no element differs");
}

}  // namespace

std::string Arbitration::text() const {
  if (both_are_right) return "both are right: " + why;
  if (off == Off::kUndecidable) return "who is right is undecided: " + why;
  const auto error = [](double ulp) {
    return std::isinf(ulp) ? "the wrong value" : fmt::format("{:.3g} ulp", ulp);
  };
  const std::string place =
      result == 0 ? fmt::to_string(element) : fmt::format("{} of result {}", element, result + 1);
  return fmt::format("truth of element {} {}: {} (subject {}, oracle {})", place, truth, name(off),
                     error(subject_ulp), error(oracle_ulp));
}

Arbitration arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  TruthSubject truth;
  Answer right;
  truth.answer(c, right);
  if (right.tag != Answer::Tag::kTensor)
    return undecidable(right.tag == Answer::Tag::kNotJudged ? right.detail
                                                            : "our promotion refuses the call");
  if (right.dtype != oracle.dtype || right.sizes != oracle.sizes)
    return undecidable("the truth has another dtype or shape");
  const std::vector<std::size_t> differing = differing_elements(c, subject, oracle, sides);
  if (differing.empty()) return arbitrate_further(c, right, subject, oracle, sides);
  return first_of(differing, [&](std::size_t i) {
    return arbitrate_element(c, {truth, right}, subject, oracle, sides, i);
  });
}

Ruling rule(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  const Arbitration found = arbitrate(c, subject, oracle, sides);
  return {.text = found.text(),
          .subject_is_off = found.off == Off::kSubject || found.off == Off::kBoth,
          .both_are_right = found.both_are_right};
}

}  // namespace upcast::truth
