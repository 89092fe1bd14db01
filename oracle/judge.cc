#include "oracle/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "cases/literal.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/case_call.h"
#include "oracle/case_trace.h"
#include "oracle/error_bounds.h"
#include "oracle/host_defined.h"
#include "oracle/same_value.h"
#include "oracle/ulp.h"

namespace upcast {
namespace {

bool broken(const Answer& answer) { return answer.tag == Answer::Tag::kBroken; }

bool refused(const Answer& answer) { return answer.tag == Answer::Tag::kRefusal; }

/// Whether a refusal comes from a kernel, or from the code right before it, and not from the rules
/// of promotion and shape.
bool is_refusal_of_a_kernel(const Answer& answer) {
  return refused(answer) && (answer.rejection == RejectionCode::kUnsupportedDType ||
                             answer.rejection == RejectionCode::kHostOperand ||
                             answer.rejection == RejectionCode::kAttributeOverflow ||
                             answer.rejection == RejectionCode::kZeroDivision);
}

// The judging functions fill in a verdict that starts as agreement. Returning it by value from each
// of them would cost a move for every case.
void differ(VerdictCode code, Difference difference, Verdict& verdict) {
  verdict.code = verdict.found = code;
  verdict.difference = std::move(difference);
}

void not_judge(NotJudged reason, std::string_view why, Verdict& verdict) {
  verdict.code = verdict.found = VerdictCode::kNotJudged;
  verdict.not_judged = reason;
  verdict.why = why;
}

/// The dtype whose ulp measures a result. Bounds are in ulp of the common dtype, so a result that
/// was widened on its way out (exp(float32, out=float64)) keeps the coarser one. Which dtype is the
/// coarser one depends on the value: float16 has more digits than bfloat16, and fewer among its
/// subnormals.
struct Grain {
  DType dtype;       // a real floating dtype, or the result dtype itself if it is not floating
  double allowed;    // the error that is allowed, in ulp
  DTypeSet rounded;  // further real dtypes that the value was rounded to
  double scale = 0;  // the op's scale: smaller values are measured in ulp of it

  double ulp_at(double value) const {
    double ulp = ulp_of(dtype, value);
    for (int i = 0; i < kDTypeCount; ++i)
      if (rounded.contains(dtype_from_code(i)))
        ulp = std::max(ulp, ulp_of(dtype_from_code(i), value));
    return ulp;
  }
};

double allowed_ulp(const Accuracy& accuracy, DType dtype, Sides sides) {
  return error_bound(accuracy, dtype, sides.subject) + error_bound(accuracy, dtype, sides.oracle);
}

/// The grain of a composition. It has no common dtype; it is as coarse as the coarsest of its
/// steps.
Grain composition_grain(const Case& c, DType result, Sides sides) {
  const Accuracy& accuracy = c.op->spec->accuracy;
  Grain grain{to_real(result), allowed_ulp(accuracy, result, sides), to_real(result)};
  const DTypeSet steps = composition_dtypes(c);
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType dtype = dtype_from_code(i);
    if (!steps.contains(dtype) || !is_floating(to_real(dtype))) continue;
    grain.rounded = grain.rounded | to_real(dtype);
    if (ulp_of(to_real(dtype), 1) <= ulp_of(grain.dtype, 1)) continue;
    grain.dtype = to_real(dtype);
    grain.allowed = std::max(grain.allowed, allowed_ulp(accuracy, dtype, sides));
  }
  return grain;
}

Grain grain_of(const Case& c, DType result, Sides sides) {
  const Accuracy& accuracy = c.op->spec->accuracy;
  const DType real = to_real(result);
  if (!is_floating(real)) return {real, 0, {}};
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return composition_grain(c, result, sides);
  const DType common = promoted.value().common;
  if (!is_floating(to_real(common))) return {real, allowed_ulp(accuracy, result, sides), {}};
  if (ulp_of(to_real(common), 1) >= ulp_of(real, 1))
    return {to_real(common), allowed_ulp(accuracy, common, sides), real};
  return {real, allowed_ulp(accuracy, is_complex(common) ? result : real, sides),
          to_real(common)};  // the case in which out narrows the result
}

/// An element's error and the error that is allowed, in ulp of the result dtype. The error is
/// infinite if only one side has a special value there, or the two have different ones.
struct ElementError {
  double ulp = 0, allowed = 0;
  bool passes = true;
};

/// The side that is the truth, if it knows the exact values and the other side is judged by them;
/// null otherwise.
const Answer* exact_side(const Answer& subject, const Answer& oracle, Sides sides) {
  const auto is_exact = [](Implementation one, Implementation other, const Answer& answer) {
    return one == Implementation::kTruth && is_judged_by_the_truth(other) && !answer.rest.empty();
  };
  return is_exact(sides.oracle, sides.subject, oracle)    ? &oracle
         : is_exact(sides.subject, sides.oracle, subject) ? &subject
                                                          : nullptr;
}

/// Judges elements of a floating dtype, one by one. If one side is the truth, only the real error
/// and the other side's own bound count. Otherwise half an ulp of rounding would be counted twice,
/// and a wrong step would pass.
class ElementJudge {
 public:
  ElementJudge(const Case& c, const Answer& subject, const Answer& oracle, Sides sides)
      : ElementJudge(c, oracle.dtype, sides) {
    exact_ = grain_.allowed == 0 ? nullptr : exact_side(subject, oracle, sides);
    if (exact_ == nullptr) return;
    subject_is_exact_ = exact_ == &subject;
    grain_.allowed = std::max(kCorrectRounding, grain_.allowed - kCorrectRounding);
  }
  ElementJudge(const Case& c, DType dtype, Sides sides)
      : grain_(grain_of(c, dtype, sides)), dtype_(dtype) {
    grain_.scale = error_scale(c.op->spec->accuracy, sides);
  }
  /// Measures how far two elements are apart, less the leeway. Not for int64 and uint64, which
  /// float64 cannot hold exactly.
  ElementError measure(const std::byte* subject, const std::byte* oracle, double leeway,
                       std::size_t element) const {
    const ElementParts a = parts_of(dtype_, subject_is_exact_ ? oracle : subject);
    const ElementParts b = parts_of(dtype_, subject_is_exact_ ? subject : oracle);
    const double size = std::max(std::isfinite(b[0]) ? std::abs(b[0]) : 0,
                                 std::isfinite(b[1]) ? std::abs(b[1]) : 0);
    const double unit = grain_.ulp_at(std::max(size, grain_.scale));
    ElementError error{.allowed = error_in_ulp(to_real(dtype_), grain_.allowed * unit, size)};
    double distance = 0;
    for (std::size_t part = 0; part < a.size(); ++part) {
      if (same_value(a[part], b[part])) continue;
      const bool flips_zero = a[part] == b[part] && leeway == 0;
      if (!std::isfinite(a[part]) || !std::isfinite(b[part]) || flips_zero) {
        error.ulp = std::numeric_limits<double>::infinity();
        error.passes = false;
        return error;
      }
      distance = std::max(distance, distance_to(a[part], b[part], rest_of(element, part)) - leeway);
    }
    error.ulp = error_in_ulp(to_real(dtype_), distance, size);
    error.passes = distance / unit <= grain_.allowed;
    return error;
  }
  const Grain& grain() const { return grain_; }

 private:
  /// The exact value of a part, minus the truth's rounded answer.
  double rest_of(std::size_t element, std::size_t part) const {
    if (exact_ == nullptr) return 0;
    if (!is_complex(dtype_)) return part == 0 ? exact_->rest[element] : 0;
    return exact_->rest[2 * element + part];
  }

  Grain grain_;
  DType dtype_;
  const Answer* exact_ = nullptr;
  bool subject_is_exact_ = false;
};

/// The number of steps between two finite numbers of a real dtype.
std::optional<std::uint64_t> steps_between(DType dtype, const std::byte* a, const std::byte* b) {
  if (is_complex(dtype) || !std::isfinite(parts_of(dtype, a)[0]) ||
      !std::isfinite(parts_of(dtype, b)[0]))
    return std::nullopt;
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::memcpy(&first, a, size);
  std::memcpy(&second, b, size);
  return step_distance(first, second, size);
}

/// The leeway of both sides for an element, added up. Infinite: one of them cannot tell the
/// element.
double leeway_of(const Answer& subject, const Answer& oracle, std::size_t element) {
  return (subject.leeway.empty() ? 0 : subject.leeway[element]) +
         (oracle.leeway.empty() ? 0 : oracle.leeway[element]);
}

HostDefined::Where where(Sides sides) {
  using Where = HostDefined::Where;
  return sides.on_gpu         ? Where::kOnGpu
         : sides.emulates_gpu ? Where::kInParallel
                              : Where::kEverywhere;
}

/// Which elements of the answers cannot be judged, and why.
struct Unjudged {
  std::vector<bool> elements{};  // empty: none
  std::string_view host_rule{};  // HostDefined::id of the first rule that covers an element
  bool undecided = false;        // whether the truth leaves elements undecided

  bool contains(std::size_t element) const { return !elements.empty() && elements[element]; }
};

Unjudged unjudged_elements(const Case& c, const Answer& subject, const Answer& oracle,
                           std::size_t count, Sides sides) {
  auto [host_defined, rule] = host_defined_elements(c, oracle, where(sides));
  Unjudged unjudged{.elements = std::move(host_defined), .host_rule = rule};
  if (subject.leeway.empty() && oracle.leeway.empty()) return unjudged;
  unjudged.elements.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (std::isinf(leeway_of(subject, oracle, i))) {
      unjudged.elements[i] = true;
      unjudged.undecided = true;
    }
  return unjudged;
}

/// Compares the values of two answers, and fills in `verdict`, which is agreement at first.
void judge_values(const Case& c, const Answer& subject, const Answer& oracle, Sides sides,
                  Verdict& verdict) {
  check(subject.bytes.size() == oracle.bytes.size(), "dtype and shape are judged before values");
  const std::size_t size = itemsize(oracle.dtype);
  const std::size_t count = size == 0 ? 0 : oracle.bytes.size() / size;
  const Unjudged unjudged = unjudged_elements(c, subject, oracle, count, sides);
  const auto judged = static_cast<std::int64_t>(count) -
                      std::count(unjudged.elements.begin(), unjudged.elements.end(), true);
  if (count > 0 && judged == 0)
    return unjudged.undecided ? not_judge(NotJudged::kNoTruth, "", verdict)
                              : not_judge(NotJudged::kMachineDecides, unjudged.host_rule, verdict);
  verdict.values_judged += judged;
  if (count == 0 || std::memcmp(subject.bytes.data(), oracle.bytes.data(), count * size) == 0)
    return;
  if (!kElementwise.contains(oracle.dtype))
    return differ(VerdictCode::kDifferValue, {.what = Difference::What::kBytes}, verdict);

  const bool exact = !is_floating(to_real(oracle.dtype));
  const ElementJudge judge(c, subject, oracle, sides);
  for (std::size_t i = 0; i < count; ++i) {
    if (unjudged.contains(i)) continue;
    const std::byte* a = subject.bytes.data() + i * size;
    const std::byte* b = oracle.bytes.data() + i * size;
    if (std::memcmp(a, b, size) == 0) continue;
    const ElementError error = exact ? ElementError{.passes = false}
                                     : judge.measure(a, b, leeway_of(subject, oracle, i), i);
    verdict.max_ulp = std::max(verdict.max_ulp, error.ulp);
    if (error.passes) continue;
    return differ(VerdictCode::kDifferValue,
                  {.what = Difference::What::kElement,
                   .element = static_cast<std::int64_t>(i),
                   .dtype = oracle.dtype,
                   .subject = print_element(oracle.dtype, a),
                   .oracle = print_element(oracle.dtype, b),
                   .ulp = error.ulp,
                   .allowed = error.allowed,
                   .steps = exact ? std::nullopt : steps_between(oracle.dtype, a, b)},
                  verdict);
  }
}

std::string shape_text(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

/// Whether strides are the same. Those of dimensions of size 1, and of empty tensors, have no
/// meaning.
bool same_strides(const Answer& a, const Answer& b) {
  if (numel(a.sizes) == 0) return true;
  for (std::size_t d = 0; d < a.sizes.size(); ++d)
    if (a.sizes[d] > 1 && a.strides[d] != b.strides[d]) return false;
  return true;
}

void judge_refusals(const Case& c, const Answer& subject, const Answer& oracle, Sides sides,
                    Verdict& verdict) {
  if (refused(subject) && refused(oracle)) return;
  if (is_refusal_of_a_kernel(subject) ? oracle.without_values
                                      : is_refusal_of_a_kernel(oracle) && subject.without_values)
    return not_judge(NotJudged::kNoKernel, "", verdict);
  const bool subject_refuses = refused(subject);
  if (sides.on_gpu && machine_decides_refusal(c, subject_refuses ? subject : oracle,
                                              subject_refuses ? oracle : subject))
    return not_judge(NotJudged::kMachineRefuses, kZeroDivision.id, verdict);
  differ(subject_refuses ? VerdictCode::kDifferRefusal : VerdictCode::kDifferAccepts,
         {.what = Difference::What::kRefusal,
          .subject = subject_refuses ? "refuses" : "answers",
          .oracle = subject_refuses ? "answers" : "refuses"},
         verdict);
}

void judge_typing(const Answer& subject, const Answer& oracle, Verdict& verdict) {
  if (subject.weakly_typed == oracle.weakly_typed) {
    verdict.values_judged = 1;
    return;
  }
  const auto typing = [](const Answer& answer) {
    return answer.weakly_typed ? "weakly typed" : "strongly typed";
  };
  differ(VerdictCode::kDifferDType,
         {.what = Difference::What::kTyping, .subject = typing(subject), .oracle = typing(oracle)},
         verdict);
}

/// The case by which the second result is judged: its second out stands in the place of the first.
Case case_of_second(Case c) {
  std::swap(c.out, c.second_out);
  return c;
}

void judge_answers(const Case& c, const Answer& subject, const Answer& oracle, Sides sides,
                   Verdict& verdict) {
  using What = Difference::What;
  if (broken(subject) || broken(oracle)) {
    verdict.code = verdict.found = VerdictCode::kCrash;
    if (broken(subject)) verdict.deaths.push_back({Role::kSubject, kBrokenAnswer, subject.detail});
    if (broken(oracle)) verdict.deaths.push_back({Role::kOracle, kBrokenAnswer, oracle.detail});
    return;
  }
  for (const Answer* side : {&subject, &oracle})
    if (side->tag == Answer::Tag::kNotJudged && side->detail != kSpared)
      return not_judge(NotJudged::kSideCannotSay, side->detail, verdict);
  if (refused(subject) || refused(oracle))
    return judge_refusals(c, subject, oracle, sides, verdict);
  if (subject.tag != oracle.tag || subject.dtype != oracle.dtype)
    return differ(VerdictCode::kDifferDType,
                  {.what = What::kDType,
                   .subject = std::string(name(subject.dtype)),
                   .oracle = std::string(name(oracle.dtype))},
                  verdict);
  if (oracle.tag == Answer::Tag::kDType) return judge_typing(subject, oracle, verdict);
  if (subject.sizes != oracle.sizes)
    return differ(VerdictCode::kDifferShape,
                  {.what = What::kShape,
                   .subject = shape_text(subject.sizes),
                   .oracle = shape_text(oracle.sizes)},
                  verdict);
  if (!subject.without_strides && !oracle.without_strides && !same_strides(subject, oracle))
    return differ(VerdictCode::kDifferStrides,
                  {.what = What::kStrides,
                   .subject = shape_text(subject.strides),
                   .oracle = shape_text(oracle.strides)},
                  verdict);
  // A side without values leaves nothing to compare.
  if (!subject.without_values && !oracle.without_values)
    judge_values(c, subject, oracle, sides, verdict);
  if (subject.further.size() != oracle.further.size())
    return differ(VerdictCode::kDifferShape,
                  {.what = What::kResults,
                   .subject = std::to_string(subject.further.size() + 1),
                   .oracle = std::to_string(oracle.further.size() + 1)},
                  verdict);
  for (std::size_t i = 0; i < subject.further.size() && verdict.code == VerdictCode::kAgree; ++i) {
    judge_answers(case_of_second(c), subject.further[i], oracle.further[i], sides, verdict);
    if (verdict.difference) verdict.difference->result = static_cast<int>(i) + 1;
  }
}

}  // namespace

Verdict judge(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  Verdict verdict;
  judge_answers(c, subject, oracle, sides, verdict);
  return verdict;
}

std::vector<std::size_t> differing_elements(const Case& c, const Answer& subject,
                                            const Answer& oracle, Sides sides) {
  check(subject.dtype == oracle.dtype && subject.bytes.size() == oracle.bytes.size(),
        "both are of one dtype and shape");
  const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
  const bool exact = !kElementwise.contains(oracle.dtype) || !is_floating(to_real(oracle.dtype));
  const ElementJudge judge(c, subject, oracle, sides);
  const std::vector<bool> host_defined = host_defined_elements(c, oracle, where(sides)).elements;
  std::vector<std::size_t> differing;
  for (std::size_t i = 0; size > 0 && i < oracle.bytes.size() / size; ++i) {
    const std::byte* a = subject.bytes.data() + i * size;
    const std::byte* b = oracle.bytes.data() + i * size;
    const double leeway = leeway_of(subject, oracle, i);
    if (std::memcmp(a, b, size) == 0 || (!host_defined.empty() && host_defined[i]) ||
        std::isinf(leeway))
      continue;
    if (exact || !judge.measure(a, b, leeway, i).passes) differing.push_back(i);
  }
  return differing;
}

double tolerance_at(const Case& c, const Answer& oracle, std::size_t element, Sides sides) {
  if (!kElementwise.contains(oracle.dtype) || !is_floating(to_real(oracle.dtype))) return 0;
  const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
  const auto [re, im] = parts_of(oracle.dtype, oracle.bytes.data() + element * size);
  if (!std::isfinite(re) || !std::isfinite(im)) return 0;
  const Grain grain = ElementJudge(c, oracle.dtype, sides).grain();
  const double magnitude = std::max(std::abs(re), std::abs(im));
  return grain.allowed * grain.ulp_at(std::max(magnitude, grain.scale));
}

std::optional<Unmet> judge_expectation(const Case& c, const Answer& answer, Role who) {
  using Wanted = Unmet::Wanted;
  if (!c.expectation || answer.tag == Answer::Tag::kNotJudged || broken(answer)) return {};
  const Expectation& expected = *c.expectation;
  const auto unmet = [&](Wanted wanted, std::string_view text = {}) {
    return Unmet{who, wanted, std::string(text), to_text(answer), std::nullopt};
  };
  if (expected.refuses)
    return refused(answer) ? std::nullopt : std::optional(unmet(Wanted::kRefusal));
  if (refused(answer)) return unmet(Wanted::kAnswer);
  if (expected.answer) {
    const bool told = answer.dtype == DType::kBool && answer.bytes.size() == 1;
    if (told && (answer.bytes[0] != std::byte{0}) == *expected.answer) return {};
    return unmet(Wanted::kBool, *expected.answer ? "True" : "False");
  }
  if (answer.dtype != expected.dtype) return unmet(Wanted::kDType, name(expected.dtype));
  if (answer.tag == Answer::Tag::kDType) return {};
  if (expected.sizes && answer.sizes != *expected.sizes)
    return unmet(Wanted::kShape, shape_text(*expected.sizes));
  if (!expected.values || answer.without_values) return {};
  Answer wanted = answer;
  wanted.bytes = *expected.values;
  if (wanted.bytes.size() != answer.bytes.size()) return unmet(Wanted::kValues);
  Verdict verdict;
  judge_values(c, answer, wanted, {}, verdict);
  if (verdict.code == VerdictCode::kAgree) return {};
  Unmet found = unmet(Wanted::kValues);
  found.difference = verdict.difference;
  return found;
}

}  // namespace upcast
