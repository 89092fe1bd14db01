#include "oracle/truth/arbitrate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "cases/literal.h"
#include "impl/ops/number_cast.h"
#include "oracle/error_bounds.h"
#include "oracle/judge.h"
#include "oracle/same_value.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

constexpr double kWrong = std::numeric_limits<double>::infinity();

/// What is known of the right value of an element: rounded to the dtype, and exactly or within
/// bounds.
struct Right {
  DType dtype = DType::kUndefined;  // the real dtype of the result
  ElementParts rounded{};
  std::size_t parts = 1;
  std::array<Value, 2> exact{};
  double size = 0;  // magnitude of the larger part
  // One ulp of the common dtype, at the value or at the op's scale; bounds count in it.
  double unit = 0;
  double leeway = 0;
  double narrowing = 0;  // how much an out= with fewer digits may add to the error
  double largest = 0;    // the largest finite value of the dtypes that the value passed through
  double beyond = 0;     // one ulp at `largest`
};

/// The error of an answer, in ulp of the result, and its bound in the same unit. is_off: whether
/// the error exceeds the bound.
struct Error {
  double ulp = 0, bound = 0;
  bool is_off = false;
};

/// How far `found` is from the exact value. An infinity counts as the power of two just above the
/// dtype's range, as in OpenCL's conformance suite. It does so only if that power is within
/// `bound`: an answer that may err by so much may overflow.
std::optional<double> distance(double found, const Value& exact, const Right& right, double bound) {
  if (std::isnan(found) || !std::isfinite(exact.high)) return std::nullopt;
  if (std::isfinite(found)) return distance_to(found, exact.high, exact.low);
  const double short_of = (right.largest - std::abs(exact.high)) + right.beyond;
  const bool may_overflow = std::signbit(found) == std::signbit(exact.high) &&
                            short_of - right.leeway - right.narrowing <= bound * right.unit;
  return may_overflow ? std::optional(short_of) : std::nullopt;
}

/// Whether an answer that may err by `bound` may have the other sign than the exact value. An out=
/// with fewer digits then makes a zero of the other sign of it.
bool may_cross_zero(double exact, const Right& right, double bound) {
  return right.narrowing > 0 && exact > 0 && exact <= bound * right.unit;
}

/// The error of one side's element, which may err by `bound` ulp of the common dtype.
Error error_of(const ElementParts& answer, const Right& right, double bound) {
  Error error{.bound = error_in_ulp(right.dtype, bound * right.unit + right.narrowing, right.size)};
  double farthest = 0;
  for (std::size_t part = 0; part < right.parts; ++part) {
    const double found = answer[part];
    if (same_value(found, right.rounded[part])) continue;
    const std::optional<double> apart = distance(found, right.exact[part], right, bound);
    const bool is_zero_of_another_sign = found == right.rounded[part] && right.leeway == 0;
    if (!apart || (is_zero_of_another_sign && !may_cross_zero(*apart, right, bound)))
      return {kWrong, error.bound, true};
    farthest = std::max(farthest, *apart - right.leeway);
  }
  error.ulp = error_in_ulp(right.dtype, farthest, right.size);
  error.is_off = (farthest - right.narrowing) / right.unit > bound;
  return error;
}

std::size_t size_of(const Answer& answer) {
  return static_cast<std::size_t>(itemsize(answer.dtype));
}

/// The error of an element that is either right or wrong: an integer, a bool, or the result of a
/// computation in these.
Error error_of_bytes(const Answer& answer, const Answer& right, std::size_t i) {
  const std::size_t at = i * size_of(right);
  if (std::memcmp(answer.bytes.data() + at, right.bytes.data() + at, size_of(right)) == 0)
    return {};
  if (!is_floating(to_real(right.dtype))) return {kWrong, 0, true};
  const ElementParts found = parts_of(right.dtype, answer.bytes.data() + at);
  const ElementParts wanted = parts_of(right.dtype, right.bytes.data() + at);
  double farthest = 0;
  for (std::size_t part = 0; part < found.size(); ++part) {
    if (same_value(found[part], wanted[part])) continue;
    if (found[part] == wanted[part] || !std::isfinite(found[part]) || !std::isfinite(wanted[part]))
      return {kWrong, 0, true};
    farthest = std::max(farthest, distance_to(found[part], wanted[part]));
  }
  const double size = std::max(std::abs(wanted[0]), std::abs(wanted[1]));
  return {error_in_ulp(to_real(right.dtype), farthest, size), 0, true};
}

/// Whether any side may miss the correctly rounded value in this op. If so, an out= of another
/// dtype may round its result to the other neighbour.
bool may_err(const Case& c, DType common) {
  return accuracy_bound(c, common, Implementation::kOurs) > kCorrectRounding ||
         accuracy_bound(c, common, Implementation::kLibTorchNative) > kCorrectRounding;
}

Right right_element(const Case& c, const TruthSubject& truth, const Answer& answer, std::size_t i) {
  const DType result = to_real(answer.dtype);
  const DType common = to_real(truth.common_dtype());
  Right right{.dtype = result,
              .rounded = parts_of(answer.dtype, answer.bytes.data() + i * size_of(answer)),
              .parts = is_complex(answer.dtype) ? 2U : 1U,
              .leeway = answer.leeway.empty() ? 0 : answer.leeway[i]};
  const DType narrowest = largest_finite(common) < largest_finite(result) ? common : result;
  right.largest = largest_finite(narrowest);
  right.beyond = ulp_of(narrowest, right.largest);
  const std::span<const Value> exact =
      truth.exact().empty() ? std::span<const Value>() : truth.exact(answer, i);
  for (std::size_t part = 0; part < right.parts; ++part) {
    const double rounded = right.rounded[part];
    right.exact[part] =
        part < exact.size() ? exact[part] : Value{.rounded = rounded, .high = rounded};
    const double own_size = std::abs(right.exact[part].high);
    const double size = std::max(own_size, c.op->spec->accuracy.scale);
    if (!std::isfinite(size)) continue;
    right.size = std::max(right.size, own_size);
    right.unit = std::max(right.unit, ulp_of(common, size));
    const double narrowed = ulp_of(result, size);
    if (may_err(c, truth.common_dtype()) && narrowed > ulp_of(common, size))
      right.narrowing = std::max(right.narrowing, narrowed / 2);
  }
  return right;
}

Ruling undecided(std::string why) {
  return {.outcome = Ruling::Outcome::kUndecided, .why = std::move(why)};
}

struct Truth {
  const TruthSubject& subject;
  const Answer& right;
};

std::string text_of_element(const Answer& answer, std::size_t i) {
  return print_element(answer.dtype, answer.bytes.data() + i * size_of(answer));
}

/// The ruling that follows from both errors. Two different values can both be right only if the op
/// itself may err. Otherwise a value within half an ulp may still be wrong, for instance an exact
/// one that was not rounded to the common dtype.
Ruling ruling_of(const Error& subject, const Error& oracle, bool op_may_err) {
  using Outcome = Ruling::Outcome;
  return {.outcome = subject.is_off  ? oracle.is_off ? Outcome::kBothAreOff : Outcome::kSubjectIsOff
                     : oracle.is_off ? Outcome::kOracleIsOff
                     : op_may_err    ? Outcome::kBothAreRight
                                     : Outcome::kUndecided,
          .subject_ulp = subject.ulp,
          .oracle_ulp = oracle.ulp,
          .subject_bound = subject.bound,
          .oracle_bound = oracle.bound};
}

Ruling arbitrate_element(const Case& c, Truth truth, const Answer& subject, const Answer& oracle,
                         Sides sides, std::size_t i) {
  const Answer& right = truth.right;
  const DType common = truth.subject.common_dtype();
  if (!right.leeway.empty() && std::isinf(right.leeway[i]))
    return undecided("no truth: the element is not decided");
  Ruling ruling;
  if (is_floating(to_real(right.dtype)) && is_floating(to_real(common))) {
    const double subject_bound = accuracy_bound(c, common, sides.subject);
    const double oracle_bound = accuracy_bound(c, common, sides.oracle);
    const Right element = right_element(c, truth.subject, right, i);
    const auto error = [&](const Answer& answer, double bound) {
      return error_of(parts_of(answer.dtype, answer.bytes.data() + i * size_of(answer)), element,
                      bound);
    };
    ruling = ruling_of(error(subject, subject_bound), error(oracle, oracle_bound),
                       std::max(subject_bound, oracle_bound) > kCorrectRounding);
  } else {
    ruling = ruling_of(error_of_bytes(subject, right, i), error_of_bytes(oracle, right, i), false);
  }
  ruling.element = static_cast<std::int64_t>(i);
  ruling.truth = text_of_element(right, i);
  return ruling;
}

/// Rules on one element that differs. It takes the first element in which the subject is off. If
/// there is none, it takes the first in which not both are right, or else the first.
template <class ArbitrateElement>
Ruling first_of(const std::vector<std::size_t>& differing, ArbitrateElement arbitrate_one) {
  Ruling first;
  for (const std::size_t i : differing) {
    Ruling found = arbitrate_one(i);
    if (found.subject_is_off()) return found;
    if (i == differing.front() || (first.both_are_right() && !found.both_are_right()))
      first = std::move(found);
  }
  return first;
}

/// Rules on the results after the first one. They are whole numbers (frexp's exponents), so each is
/// simply right or wrong.
Ruling arbitrate_further(const Case& c, const Answer& right, const Answer& subject,
                         const Answer& oracle, Sides sides) {
  for (std::size_t k = 0; k < oracle.further.size(); ++k) {
    if (k >= subject.further.size() || k >= right.further.size())
      return undecided("the truth has another number of results");
    const Answer& truth = right.further[k];
    const Answer& a = subject.further[k];
    const Answer& b = oracle.further[k];
    for (const Answer* side : {&a, &b})
      if (side->dtype != truth.dtype || side->bytes.size() != truth.bytes.size())
        return undecided("the truth has another dtype or shape");
    const std::vector<std::size_t> differing = differing_elements(c, a, b, sides);
    if (differing.empty()) continue;
    if (is_floating(to_real(truth.dtype))) return undecided("no truth of that result");
    return first_of(differing, [&](std::size_t i) {
      Ruling found = ruling_of(error_of_bytes(a, truth, i), error_of_bytes(b, truth, i), false);
      found.result = static_cast<int>(k) + 1;
      found.element = static_cast<std::int64_t>(i);
      found.truth = text_of_element(truth, i);
      return found;
    });
  }
  return undecided("no element differs");
}

/// Rules by what `truth` answers.
Ruling rule(TruthSubject& truth, const Case& c, const Answer& subject, const Answer& oracle,
            Sides sides) {
  const Answer right = answer_of(truth, c);
  if (right.tag != Answer::Tag::kTensor)
    return undecided(right.tag == Answer::Tag::kNotJudged ? right.detail
                                                          : "our promotion refuses the call");
  if (right.dtype != oracle.dtype || right.sizes != oracle.sizes)
    return undecided("the truth has another dtype or shape");
  const std::vector<std::size_t> differing = differing_elements(c, subject, oracle, sides);
  if (differing.empty()) return arbitrate_further(c, right, subject, oracle, sides);
  return first_of(differing, [&](std::size_t i) {
    return arbitrate_element(c, {truth, right}, subject, oracle, sides, i);
  });
}

}  // namespace

Ruling arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  TruthSubject truth;
  return rule(truth, c, subject, oracle, sides);
}

Arbiter make_arbiter() {
  return [truth = std::make_shared<TruthSubject>()](const Case& c, const Answer& subject,
                                                    const Answer& oracle, Sides sides) {
    return rule(*truth, c, subject, oracle, sides);
  };
}

std::vector<std::size_t> undecided_elements(const Case& c, const Answer& answer) {
  TruthSubject truth;
  Answer right;
  truth.answer(c, right);
  const bool is_comparable = right.tag == Answer::Tag::kTensor && right.dtype == answer.dtype &&
                             right.sizes == answer.sizes;
  const std::size_t count = size_of(answer) == 0 ? 0 : answer.bytes.size() / size_of(answer);
  std::vector<std::size_t> undecided;
  for (std::size_t i = 0; i < count; ++i)
    if (!is_comparable || (!right.leeway.empty() && std::isinf(right.leeway[i])))
      undecided.push_back(i);
  return undecided;
}

}  // namespace upcast::truth
