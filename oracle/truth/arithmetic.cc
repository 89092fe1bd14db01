// Arithmetic: the exact result of the whole formula, rounded once.
#include <cmath>

#include "oracle/truth/definition.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kIeee = "IEEE 754-2019, 5.4.1 and 7";

std::vector<double> alpha(const Call& call, DType common) {
  return {in_compute_dtype(call.number("alpha", 1), common)};
}
std::vector<double> value(const Call& call, DType common) {
  return {in_compute_dtype(call.number("value", 1), common)};
}

bool is_true_division(const Call& call) {
  return call.argument("rounding_mode").tag != Argument::Tag::kText;
}

/// Exact results are the ball's too: it has no radius once its precision holds all digits.
constexpr Definition kRows[] = {
    formula("add", kIeee, [](auto x) { return x[0] + x[2] * x[1]; }, nullptr, alpha),
    formula("sub", kIeee, [](auto x) { return x[0] - x[2] * x[1]; }, nullptr, alpha),
    formula("rsub", kIeee, [](auto x) { return x[1] - x[2] * x[0]; }, nullptr, alpha),
    near_formula("mul", kIeee, [](auto x) { return x[0] * x[1]; }),
    near_formula("reciprocal", kIeee, [](auto x) { return 1.0 / x[0]; }),
    near_formula("square", kIeee, [](auto x) { return x[0] * x[0]; }),
    near_formula("mse_loss", kIeee, [](auto x) { return (x[0] - x[1]) * (x[0] - x[1]); }),
    formula(
        "addcmul", kIeee, [](auto x) { return x[0] + x[3] * x[1] * x[2]; }, nullptr, value),
    formula(
        "addcdiv", kIeee, [](auto x) { return x[0] + x[3] * x[1] / x[2]; }, nullptr, value),
    [] {
      Definition row = near_formula("div", kIeee, [](auto x) { return x[0] / x[1]; });
      row.applies = is_true_division;
      row.without = "the quotient is rounded before it is truncated or floored";
      return row;
    }(),
};

}  // namespace

std::span<const Definition> arithmetic_definitions() { return kRows; }

}  // namespace upcast::truth
