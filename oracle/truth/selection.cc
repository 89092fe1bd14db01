// The truth of ops over real numbers whose result is one of the operands, a bound, 0, 1 or a bool.
// Nothing is rounded.
#include <algorithm>
#include <cmath>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition_rows.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kCompare = "IEEE 754-2019, 5.11: NaN is unordered, zeros are equal";
constexpr std::string_view kTruthValue = "torch.logical_and: zeros are False, all others True";
constexpr std::string_view kClassify = "IEEE 754-2019, 5.7.2";

/// The selected value of two equal numbers. If both are zeros, either sign is right.
Known of_equals(double a, double b) { return a == 0 && b == 0 ? zero_of_any_sign() : Known(a); }

Known larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kNaN;
  return a == b ? of_equals(a, b) : Known(std::max(a, b));
}
Known smaller(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kNaN;
  return a == b ? of_equals(a, b) : Known(std::min(a, b));
}
Known larger_number(Doubles x) {
  if (std::isnan(x[0])) return x[1];
  return std::isnan(x[1]) ? Known(x[0]) : larger(x[0], x[1]);
}
Known smaller_number(Doubles x) {
  if (std::isnan(x[0])) return x[1];
  return std::isnan(x[1]) ? Known(x[0]) : smaller(x[0], x[1]);
}

/// A parameter's number, rounded to the common dtype; NaN if the call gives none.
double number_or_nan(const Call& call, std::string_view name, DType common) {
  const Argument& argument = call.argument(name);
  return argument.tag == Argument::Tag::kNumber ? in_common_dtype(argument.number, common) : kNaN;
}
double is_given(const Call& call, std::string_view name) {
  return call.argument(name).tag != Argument::Tag::kAbsent ? 1 : 0;
}

/// The attributes of clamp: its two bounds, and for each whether it is given.
std::vector<double> clamp_bounds(const Call& call, DType common) {
  return {number_or_nan(call, "min", common), number_or_nan(call, "max", common),
          is_given(call, "min"), is_given(call, "max")};
}
Known clamp(Doubles x) {
  const Doubles attributes = x.last(4);
  const bool tensors = x.size() == 7;
  Known value = x[0];
  if (attributes[2] != 0) value = larger(x[0], tensors ? x[1] : attributes[0]);
  if (attributes[3] == 0) return value;
  const Known bounded = smaller(value.value, tensors ? x[2] : attributes[1]);
  return bounded.value == 0 && value.doubt != Doubt::kNone ? value : bounded;
}
template <bool Lower>
Known clamp_side(Doubles x) {
  const double limit = x.size() == 6 ? x[1] : x.last(4)[Lower ? 0 : 1];
  return Lower ? larger(x[0], limit) : smaller(x[0], limit);
}

template <const char* const& First, const char* const& Second>
std::vector<double> two_parameters(const Call& call, DType common) {
  return {in_common_dtype(call.number(First, 0), common),
          in_common_dtype(call.number(Second, 0), common)};
}
template <const char* const& Name, double Otherwise>
std::vector<double> parameter(const Call& call, DType common) {
  return {in_common_dtype(call.number(Name, Otherwise), common)};
}
constexpr const char* kThreshold = "threshold";
constexpr const char* kValue = "value";
constexpr const char* kLambd = "lambd";

std::vector<double> hardtanh_bounds(const Call& call, DType common) {
  return {in_common_dtype(call.number("min_val", -1), common),
          in_common_dtype(call.number("max_val", 1), common)};
}
/// The bounds of hardtanh's gradient, which stay in the compute dtype.
std::vector<double> hardtanh_backward_bounds(const Call& call, DType common) {
  return {in_compute_dtype(call.number("min_val", -1), common),
          in_compute_dtype(call.number("max_val", 1), common)};
}
std::vector<double> compute_threshold(const Call& call, DType common) {
  return {in_compute_dtype(call.number("threshold", 0), common)};
}

Known between(double x, double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return undocumented();
  return std::isnan(x) ? Known(x) : smaller(larger(x, low).value, high);
}
/// hardtanh: x limited to its bounds. If x and a bound are both zeros, either sign is right.
Known hardtanh(Doubles x) {
  const Known value = between(x[0], x[1], x[2]);
  return value.value == 0 && x[0] == 0 && (x[1] == 0 || x[2] == 0) ? zero_of_any_sign() : value;
}
Known relu(Doubles x) {
  if (x[0] == 0) return zero_of_any_sign();
  return x[0] < 0 ? Known(0.0) : Known(x[0]);
}
Known relu6(Doubles x) { return x[0] > 6 ? Known(6) : relu(x); }

Known hardshrink(Doubles x) {
  if (std::isnan(x[0]) || std::isnan(x[1])) return undocumented();
  return x[0] > x[1] || x[0] < -x[1] ? Known(x[0]) : Known(0.0);
}
Known shrink_backward(Doubles x) {
  if (std::isnan(x[1]) || std::isnan(x[2])) return undocumented();
  return x[1] > x[2] || x[1] < -x[2] ? Known(x[0]) : Known(0.0);
}

std::vector<double> replacements(const Call& call, DType common) {
  const double limit = largest_finite(common);
  return {in_common_dtype(call.number("nan", 0.0), common),
          in_common_dtype(call.number("posinf", limit), common),
          in_common_dtype(call.number("neginf", -limit), common)};
}
Known nan_to_num(Doubles x) {
  if (std::isnan(x[0])) return x[1];
  if (std::isinf(x[0])) return x[0] > 0 ? x[2] : x[3];
  return x[0];
}

Known sign(Doubles x) {
  if (std::isnan(x[0])) return x[0];
  return x[0] > 0 ? 1.0 : x[0] < 0 ? -1.0 : 0.0;
}
Known heaviside(Doubles x) {
  if (std::isnan(x[0])) return undocumented();
  return x[0] == 0 ? x[1] : x[0] > 0 ? 1.0 : 0.0;
}

constexpr auto kSelf = [](Doubles x) { return x[0]; };
constexpr auto kNot0 = [](double x) { return x != 0; };

/// The source for sign. torch.sign's documentation says nothing of NaN. sign is the real case of
/// torch.sgn, which divides by the modulus.
constexpr std::string_view kSign = "torch.sgn: 0 at 0, else input / |input|, which is NaN for NaN";

constexpr Definition kRows[] = {
    exact_row<kSelf>("clone", "the element itself"),
    exact_row<kSelf>("copy", "the element, converted once: docs/numerics.md, Conversions"),
    exact_row<kSelf>("conj_physical", "torch.conj_physical: a real number is its own conjugate"),
    exact_row<kSelf>("_conj_physical", "torch.conj_physical: a real number is its own conjugate"),
    exact_row<[](Doubles x) { return -x[0]; }>("neg", "IEEE 754-2019, 5.5.1"),
    exact_row<[](Doubles x) { return std::abs(x[0]); }>("abs", "IEEE 754-2019, 5.5.1"),
    exact_row<[](Doubles x) { return std::copysign(x[0], x[1]); }>("copysign",
                                                                   "IEEE 754-2019, 5.5.1"),
    exact_row<sign>("sign", kSign),
    exact_row<sign>("sgn", kSign),
    exact_row<heaviside>("heaviside", "torch.heaviside; NaN is not defined"),
    exact_row<[](Doubles x) { return larger(x[0], x[1]); }>(
        "maximum", "torch.maximum: NaN where one is; the result for two zeros is not defined"),
    exact_row<[](Doubles x) { return smaller(x[0], x[1]); }>(
        "minimum", "torch.minimum: NaN where one is; the result for two zeros is not defined"),
    exact_row<larger_number>("fmax", "C23, F.10.9.2: not NaN where one is a number"),
    exact_row<smaller_number>("fmin", "C23, F.10.9.3: not NaN where one is a number"),
    exact_row<clamp>("clamp", "torch.clamp: min(max(x, min), max), NaN as in torch.maximum",
                     clamp_bounds),
    exact_row<clamp_side<true>>("clamp_min", "torch.clamp", clamp_bounds),
    exact_row<clamp_side<false>>("clamp_max", "torch.clamp", clamp_bounds),
    exact_row<[](Doubles x) { return x[0] != 0 ? x[1] : x[2]; }>("where", "torch.where"),
    exact_row<[](Doubles x) { return x[1] != 0 ? x[2] : x[0]; }>("masked_fill",
                                                                 "torch.Tensor.masked_fill"),
    exact_row<nan_to_num>("nan_to_num", "torch.nan_to_num: 0 and the limits of the dtype",
                          replacements),
    exact_row<relu>("relu", "torch.nn.ReLU: max(0, x); the sign of a zero is not defined"),
    exact_row<relu6>("relu6",
                     "torch.nn.ReLU6: min(max(0, x), 6); the sign of a zero is not defined"),
    exact_row<hardtanh>("hardtanh", "torch.nn.Hardtanh", hardtanh_bounds),
    exact_row<[](Doubles x) { return x[0] <= x[1] ? x[2] : x[0]; }>(
        "threshold", "torch.nn.Threshold: x where x > threshold, else value; NaN stays",
        two_parameters<kThreshold, kValue>),
    exact_row<hardshrink>("hardshrink", "torch.nn.Hardshrink; NaN is not defined",
                          parameter<kLambd, 0.5>),
    exact_row<shrink_backward>("hardshrink_backward", "the derivative of torch.nn.Hardshrink",
                               parameter<kLambd, 0.5>),
    exact_row<shrink_backward>("softshrink_backward", "the derivative of torch.nn.Softshrink",
                               parameter<kLambd, 0.5>),
    exact_row<[](Doubles x) {
      if (std::isnan(x[1])) return undocumented();
      return Known(x[1] <= x[2] || x[1] >= x[3] ? 0.0 : x[0]);
    }>("hardtanh_backward", "the derivative of torch.nn.Hardtanh", hardtanh_backward_bounds),
    exact_row<[](Doubles x) {
      if (std::isnan(x[0])) return undocumented();
      return Known(x[0] <= x[2] ? 0.0 : x[1]);
    }>("threshold_backward", "the derivative of torch.nn.Threshold", compute_threshold),
    exact_row<[](Doubles x) { return x[0] == x[1]; }>("eq", kCompare),
    exact_row<[](Doubles x) { return x[0] != x[1]; }>("ne", kCompare),
    exact_row<[](Doubles x) { return (x[0] < x[1]); }>("lt", kCompare),
    exact_row<[](Doubles x) { return (x[0] <= x[1]); }>("le", kCompare),
    exact_row<[](Doubles x) { return (x[0] > x[1]); }>("gt", kCompare),
    exact_row<[](Doubles x) { return (x[0] >= x[1]); }>("ge", kCompare),
    exact_row<[](Doubles x) { return kNot0(x[0]) && kNot0(x[1]); }>("logical_and", kTruthValue),
    exact_row<[](Doubles x) { return kNot0(x[0]) || kNot0(x[1]); }>("logical_or", kTruthValue),
    exact_row<[](Doubles x) { return kNot0(x[0]) != kNot0(x[1]); }>("logical_xor", kTruthValue),
    exact_row<[](Doubles x) { return !kNot0(x[0]); }>("logical_not", kTruthValue),
    exact_row<[](Doubles x) { return std::isnan(x[0]); }>("isnan", kClassify),
    exact_row<[](Doubles x) { return std::isinf(x[0]); }>("isinf", kClassify),
    exact_row<[](Doubles x) { return std::isfinite(x[0]); }>("isfinite", kClassify),
    exact_row<[](Doubles) { return true; }>("isreal", "torch.isreal: real dtypes are real"),
    exact_row<[](Doubles x) { return x[0] == kInf; }>("isposinf", kClassify),
    exact_row<[](Doubles x) { return x[0] == -kInf; }>("isneginf", kClassify),
    exact_row<[](Doubles x) { return std::signbit(x[0]); }>("signbit",
                                                            "IEEE 754-2019, 5.7.2 isSignMinus"),
};

}  // namespace

std::span<const Definition> selection_definitions() { return kRows; }

}  // namespace upcast::truth
