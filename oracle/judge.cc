#include "oracle/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cases/literal.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/case_call.h"
#include "oracle/case_trace.h"
#include "oracle/host_defined.h"
#include "oracle/ulp.h"

namespace upcast {
namespace {

bool broken(const Answer& answer) { return answer.tag == Answer::Tag::kBroken; }

bool refused(const Answer& answer) { return answer.tag == Answer::Tag::kRefusal; }

/// What a kernel refuses, or the code right before it, and not the rules of promotion and shape.
bool is_refusal_of_a_kernel(const Answer& answer) {
  return refused(answer) && (answer.rejection == RejectionCode::kUnsupportedDType ||
                             answer.rejection == RejectionCode::kHostOperand ||
                             answer.rejection == RejectionCode::kAttributeOverflow ||
                             answer.rejection == RejectionCode::kZeroDivision);
}

Verdict differ(VerdictCode code, std::string detail) {
  return {.code = code, .detail = std::move(detail)};
}

/// The grain in which values of a result are compared: the bounds speak of the common dtype, so a
/// result that was widened on its way out (exp(float32, out=float64)) keeps the coarser grain.
/// Which dtype is the coarser one depends on the value: float16 has more digits than bfloat16, and
/// fewer among its subnormals.
struct Grain {
  DType dtype;       // real and floating, or the result dtype itself where that is not floating
  double allowed;    // ulp
  DTypeSet rounded;  // real dtypes that the value was rounded to besides
  double scale = 0;  // values below it are measured in ulp of it

  double ulp_at(double value) const {
    double ulp = ulp_of(dtype, value);
    for (int i = 0; i < kDTypeCount; ++i)
      if (rounded.contains(dtype_from_code(i)))
        ulp = std::max(ulp, ulp_of(dtype_from_code(i), value));
    return ulp;
  }
};

constexpr double kCorrectRounding = 0.5;  // ulp

double bound_of(const Bounds& bounds, Implementation side) {
  switch (side) {
    case Implementation::kOurs:
      return bounds.ours;
    case Implementation::kLibTorch:
      return bounds.libtorch;
    case Implementation::kLibTorchNative:
      return std::max(bounds.libtorch, bounds.native);
    case Implementation::kTruth:
      return bounds.ours == 0 ? 0 : kCorrectRounding;
  }
  return 0;
}

const Bounds& bounds_of(const Accuracy& accuracy, DType dtype) {
  return dtype == DType::kFloat64      ? accuracy.float64
         : dtype == DType::kFloat32    ? accuracy.float32
         : dtype == DType::kComplex128 ? accuracy.complex128
         : dtype == DType::kComplex64  ? accuracy.complex64
                                       : accuracy.reduced;
}

double allowed_ulp(const Accuracy& accuracy, DType dtype, Sides sides) {
  const Bounds& bounds = bounds_of(accuracy, dtype);
  return bound_of(bounds, sides.subject) + bound_of(bounds, sides.oracle);
}

double scale_of(const Accuracy& accuracy, Sides sides) {
  const bool vectors = sides.subject == Implementation::kLibTorchNative ||
                       sides.oracle == Implementation::kLibTorchNative;
  return vectors ? std::max(accuracy.scale, accuracy.native_scale) : accuracy.scale;
}

/// A composition has no common dtype: it is as coarse as its coarsest step.
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
          to_real(common)};  // narrowed by out
}

/// One element as two float64 parts; exact for every dtype but int64 and uint64, whose equal
/// values have equal bytes and never come here for a bound.
struct Parts {
  double re, im;
};

Parts parts_of(DType dtype, const std::byte* element) {
  Parts parts{};
  std::array<double, 2> complex{};
  cast_elements(dtype, element, DType::kComplex128, reinterpret_cast<std::byte*>(complex.data()),
                1);
  parts.re = complex[0];
  parts.im = complex[1];
  return parts;
}

bool same_part(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

/// Error in ulp of the larger part of `oracle`, beyond the leeway; infinite where a special value
/// is not met. `rest`: the exact value less the oracle's.
double error_in_ulp(const Grain& grain, Parts subject, Parts oracle, double leeway,
                    Parts rest = {}) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (same_part(subject.re, oracle.re) && same_part(subject.im, oracle.im)) return 0;
  double error = 0;
  const double scale = std::max(std::isfinite(oracle.re) ? std::abs(oracle.re) : 0,
                                std::isfinite(oracle.im) ? std::abs(oracle.im) : 0);
  const double ulp = grain.ulp_at(std::max(scale, grain.scale));
  struct Part {
    double a, b, rest;
  };
  for (const auto& [a, b, left] :
       {Part{subject.re, oracle.re, rest.re}, Part{subject.im, oracle.im, rest.im}}) {
    if (same_part(a, b)) continue;
    if (!std::isfinite(a) || !std::isfinite(b)) return kWrong;
    if (a == b && leeway == 0) return kWrong;  // zeros of different signs
    error = std::max(error, (std::abs((a - b) - left) - leeway) / ulp);
  }
  return error;
}

/// The side that is the truth, and knows the exact values, where the other one is held to our
/// bounds; else none. What LibTorch's bounds say was measured: nobody promised it.
const Answer* exact_side(const Answer& subject, const Answer& oracle, Sides sides) {
  const auto is_exact = [](Implementation one, Implementation other, const Answer& answer) {
    return one == Implementation::kTruth && other == Implementation::kOurs && !answer.rest.empty();
  };
  return is_exact(sides.oracle, sides.subject, oracle)    ? &oracle
         : is_exact(sides.subject, sides.oracle, subject) ? &subject
                                                          : nullptr;
}

/// Elements of a floating dtype, one by one. Beside the truth it is the real error that counts, and
/// the other side's own bound alone: else half an ulp of rounding would be counted twice, and a
/// wrong step would pass.
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
    grain_.scale = scale_of(c.op->spec->accuracy, sides);
  }
  double error(const std::byte* subject, const std::byte* oracle, double leeway,
               std::size_t element) const {
    const Parts a = parts_of(dtype_, subject);
    const Parts b = parts_of(dtype_, oracle);
    if (exact_ == nullptr) return error_in_ulp(grain_, a, b, leeway);
    const Parts rest = rest_of(element);
    return subject_is_exact_ ? error_in_ulp(grain_, b, a, leeway, rest)
                             : error_in_ulp(grain_, a, b, leeway, rest);
  }
  bool allows(double error) const { return error <= grain_.allowed; }
  const Grain& grain() const { return grain_; }

 private:
  Parts rest_of(std::size_t element) const {
    if (!is_complex(dtype_)) return {exact_->rest[element], 0};
    return {exact_->rest[2 * element], exact_->rest[2 * element + 1]};
  }

  Grain grain_;
  DType dtype_;
  const Answer* exact_ = nullptr;
  bool subject_is_exact_ = false;
};

/// ", 3 steps": between two numbers of a real dtype; of others nothing.
std::string steps_text(DType dtype, const std::byte* a, const std::byte* b) {
  if (is_complex(dtype) || !std::isfinite(parts_of(dtype, a).re) ||
      !std::isfinite(parts_of(dtype, b).re))
    return "";
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::memcpy(&first, a, size);
  std::memcpy(&second, b, size);
  return fmt::format(", {} steps", step_distance(first, second, size));
}

/// What both sides leave open about an element; infinite: one of them cannot tell what it is.
double leeway_of(const Answer& subject, const Answer& oracle, std::size_t element) {
  return (subject.leeway.empty() ? 0 : subject.leeway[element]) +
         (oracle.leeway.empty() ? 0 : oracle.leeway[element]);
}

/// The elements that nobody can judge.
struct Unjudged {
  std::vector<bool> elements{};  // empty: none
  std::string_view host_reason{};
  bool undecided = false;  // some by the truth

  /// Where no element can be judged. Not made before: it would cost every case a string.
  std::string reason() const {
    return undecided ? "no truth: no element is decided"
                     : "the machine decides every value: " + std::string(host_reason);
  }

  bool contains(std::size_t element) const { return !elements.empty() && elements[element]; }
};

Unjudged unjudged_elements(const Case& c, const Answer& subject, const Answer& oracle,
                           std::size_t count, Sides sides) {
  auto [host_defined, reason] = host_defined_elements(c, oracle, sides.on_gpu);
  Unjudged unjudged{.elements = std::move(host_defined), .host_reason = reason};
  if (subject.leeway.empty() && oracle.leeway.empty()) return unjudged;
  unjudged.elements.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    if (std::isinf(leeway_of(subject, oracle, i))) {
      unjudged.elements[i] = true;
      unjudged.undecided = true;
    }
  return unjudged;
}

Verdict judge_values(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  check(subject.bytes.size() == oracle.bytes.size(), "dtype and shape are judged before values");
  const std::size_t size = itemsize(oracle.dtype);
  const std::size_t count = size == 0 ? 0 : oracle.bytes.size() / size;
  Verdict verdict{.values_judged = static_cast<std::int64_t>(count)};
  const Unjudged unjudged = unjudged_elements(c, subject, oracle, count, sides);
  verdict.values_judged -= std::count(unjudged.elements.begin(), unjudged.elements.end(), true);
  if (count > 0 && verdict.values_judged == 0)
    return differ(VerdictCode::kNotJudged, unjudged.reason());
  if (count == 0 || std::memcmp(subject.bytes.data(), oracle.bytes.data(), count * size) == 0)
    return verdict;
  if (!kElementwise.contains(oracle.dtype))
    return differ(VerdictCode::kDifferValue, "bytes of a dtype without values differ");

  const ElementJudge judge(c, subject, oracle, sides);
  for (std::size_t i = 0; i < count; ++i) {
    if (unjudged.contains(i)) continue;
    const std::byte* a = subject.bytes.data() + i * size;
    const std::byte* b = oracle.bytes.data() + i * size;
    if (std::memcmp(a, b, size) == 0) continue;
    if (!is_floating(to_real(oracle.dtype))) {
      verdict.code = VerdictCode::kDifferValue;
      verdict.detail = fmt::format("element {}: {} against {}", i, print_element(oracle.dtype, a),
                                   print_element(oracle.dtype, b));
      return verdict;
    }
    const double error = judge.error(a, b, leeway_of(subject, oracle, i), i);
    verdict.max_ulp = std::max(verdict.max_ulp, error);
    if (!judge.allows(error)) {
      const Grain& grain = judge.grain();
      verdict.code = VerdictCode::kDifferValue;
      verdict.detail =
          fmt::format("element {}: {} against {}, {:.3g} ulp of {}{}, allowed {:.3g}", i,
                      print_element(oracle.dtype, a), print_element(oracle.dtype, b), error,
                      name(grain.dtype), steps_text(oracle.dtype, a, b), grain.allowed);
      return verdict;
    }
  }
  return verdict;
}

std::string shape_text(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

/// Strides of dimensions of size 1, and of empty tensors, carry no meaning.
bool same_strides(const Answer& a, const Answer& b) {
  if (numel(a.sizes) == 0) return true;
  for (std::size_t d = 0; d < a.sizes.size(); ++d)
    if (a.sizes[d] > 1 && a.strides[d] != b.strides[d]) return false;
  return true;
}

}  // namespace

Implementation implementation_of(std::string_view name) {
  if (name == "truth") return Implementation::kTruth;
  if (!name.starts_with("libtorch")) return Implementation::kOurs;
  const bool vectors = name.ends_with("capability=native") || name.ends_with("capability=avx2");
  return vectors ? Implementation::kLibTorchNative : Implementation::kLibTorch;
}

bool runs_on_gpu(std::string_view name) {
  return name.substr(0, name.find('?')).ends_with(":cuda");
}

Sides sides_of(std::string_view subject, std::string_view oracle) {
  return {implementation_of(subject), implementation_of(oracle),
          runs_on_gpu(subject) || runs_on_gpu(oracle)};
}

Verdict judge(const Case& c, const Answer& subject, const Answer& oracle, Sides sides) {
  if (broken(subject)) return differ(VerdictCode::kCrash, "the subject's answer is broken");
  if (broken(oracle)) return differ(VerdictCode::kCrash, "the oracle's answer is broken");
  for (const Answer* side : {&subject, &oracle})
    if (side->tag == Answer::Tag::kNotJudged) return differ(VerdictCode::kNotJudged, side->detail);
  if (refused(subject) || refused(oracle)) {
    if (refused(subject) && refused(oracle)) return {};
    if (is_refusal_of_a_kernel(subject) ? oracle.without_values
                                        : is_refusal_of_a_kernel(oracle) && subject.without_values)
      return differ(VerdictCode::kNotJudged,
                    "a kernel refuses; a side without values has no kernels");
    const bool subject_refuses = refused(subject);
    if (sides.on_gpu && machine_decides_refusal(c, subject_refuses ? subject : oracle,
                                                subject_refuses ? oracle : subject))
      return differ(VerdictCode::kNotJudged, std::string(kZeroDivision.reason));
    return differ(VerdictCode::kDifferRefusal, subject_refuses
                                                   ? "the subject refuses, the oracle answers"
                                                   : "the subject answers, the oracle refuses");
  }
  if (subject.tag != oracle.tag || subject.dtype != oracle.dtype)
    return differ(VerdictCode::kDifferDType,
                  fmt::format("{} against {}", name(subject.dtype), name(oracle.dtype)));
  if (oracle.tag == Answer::Tag::kDType && subject.weakly_typed != oracle.weakly_typed)
    return differ(VerdictCode::kDifferDType, subject.weakly_typed
                                                 ? "weakly typed against strongly typed"
                                                 : "strongly typed against weakly typed");
  if (oracle.tag == Answer::Tag::kDType) return {.values_judged = 1};
  if (subject.sizes != oracle.sizes)
    return differ(VerdictCode::kDifferShape,
                  shape_text(subject.sizes) + " against " + shape_text(oracle.sizes));
  if (!subject.without_strides && !oracle.without_strides && !same_strides(subject, oracle))
    return differ(VerdictCode::kDifferStrides,
                  shape_text(subject.strides) + " against " + shape_text(oracle.strides));
  Verdict verdict;
  if (!subject.without_values && !oracle.without_values)  // else no value is judged
    verdict = judge_values(c, subject, oracle, sides);
  if (subject.further.size() != oracle.further.size())
    return differ(VerdictCode::kDifferShape, "another number of results");
  for (std::size_t i = 0; i < subject.further.size() && verdict.code == VerdictCode::kAgree; ++i) {
    const std::int64_t judged = verdict.values_judged;
    verdict = judge(c, subject.further[i], oracle.further[i], sides);
    verdict.values_judged += judged;
  }
  return verdict;
}

std::vector<std::size_t> differing_elements(const Case& c, const Answer& subject,
                                            const Answer& oracle, Sides sides) {
  check(subject.dtype == oracle.dtype && subject.bytes.size() == oracle.bytes.size(),
        "both are of one dtype and shape");
  const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
  const bool exact = !kElementwise.contains(oracle.dtype) || !is_floating(to_real(oracle.dtype));
  const ElementJudge judge(c, subject, oracle, sides);
  const std::vector<bool> host_defined = host_defined_elements(c, oracle, sides.on_gpu).elements;
  std::vector<std::size_t> differing;
  for (std::size_t i = 0; size > 0 && i < oracle.bytes.size() / size; ++i) {
    const std::byte* a = subject.bytes.data() + i * size;
    const std::byte* b = oracle.bytes.data() + i * size;
    const double leeway = leeway_of(subject, oracle, i);
    if (std::memcmp(a, b, size) == 0 || (!host_defined.empty() && host_defined[i]) ||
        std::isinf(leeway))
      continue;
    if (exact || !judge.allows(judge.error(a, b, leeway, i))) differing.push_back(i);
  }
  return differing;
}

double tolerance_at(const Case& c, const Answer& oracle, std::size_t element, Sides sides) {
  if (!kElementwise.contains(oracle.dtype) || !is_floating(to_real(oracle.dtype))) return 0;
  const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
  const Parts parts = parts_of(oracle.dtype, oracle.bytes.data() + element * size);
  if (!std::isfinite(parts.re) || !std::isfinite(parts.im)) return 0;
  const Grain grain = ElementJudge(c, oracle.dtype, sides).grain();
  const double magnitude = std::max(std::abs(parts.re), std::abs(parts.im));
  return grain.allowed * grain.ulp_at(std::max(magnitude, grain.scale));
}

double accuracy_bound(const Case& c, DType dtype, Implementation side) {
  return std::max(kCorrectRounding, bound_of(bounds_of(c.op->spec->accuracy, dtype), side));
}

Verdict judge_expectation(const Case& c, const Answer& answer, std::string_view who) {
  if (!c.expectation || answer.tag == Answer::Tag::kNotJudged || broken(answer)) return {};
  const Expectation& expected = *c.expectation;
  const auto unmet = [&](std::string_view what) {
    return differ(VerdictCode::kExpectation, fmt::format("{} {}: {}", who, to_text(answer), what));
  };
  if (expected.refuses) return refused(answer) ? Verdict{} : unmet("the line expects a refusal");
  if (refused(answer)) return unmet("the line expects an answer");
  if (expected.answer) {
    const bool told = answer.dtype == DType::kBool && answer.bytes.size() == 1;
    return told && (answer.bytes[0] != std::byte{0}) == *expected.answer
               ? Verdict{}
               : unmet(fmt::format("the line expects {}", *expected.answer ? "True" : "False"));
  }
  if (answer.dtype != expected.dtype)
    return unmet(fmt::format("the line expects {}", name(expected.dtype)));
  if (answer.tag == Answer::Tag::kDType) return {};
  if (expected.sizes && answer.sizes != *expected.sizes)
    return unmet(fmt::format("the line expects shape {}", shape_text(*expected.sizes)));
  if (!expected.values || answer.without_values) return {};
  Answer wanted = answer;
  wanted.bytes = *expected.values;
  if (wanted.bytes.size() != answer.bytes.size()) return unmet("the line expects other values");
  const Verdict verdict = judge_values(c, answer, wanted, {});
  return verdict.code == VerdictCode::kAgree
             ? Verdict{}
             : unmet("the line expects other values, " + verdict.detail);
}

}  // namespace upcast
