// Arithmetic: the exact result of the whole formula, rounded once.
#include <cmath>

#include "impl/ops/number_cast.h"
#include "oracle/truth/definition.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kIeee = "IEEE 754-2019, 5.4.1 and 7";

/// Without a factor.
bool is_plain(const Call& call) { return number_to<double>(call.number("alpha", 1)) == 1; }
constexpr std::string_view kScaled = "the product with alpha is rounded on its own";

bool is_true_division(const Call& call) {
  return call.argument("rounding_mode").tag != Argument::Tag::kText;
}

/// Exact results are the ball's too: it has no radius once its precision holds all digits.
constexpr Definition kRows[] = {
    only_where(is_plain, kScaled, near_formula("add", kIeee, [](auto x) { return x[0] + x[1]; })),
    only_where(is_plain, kScaled, near_formula("sub", kIeee, [](auto x) { return x[0] - x[1]; })),
    only_where(is_plain, kScaled, near_formula("rsub", kIeee, [](auto x) { return x[0] - x[1]; })),
    near_formula("mul", kIeee, [](auto x) { return x[0] * x[1]; }),
    near_formula("reciprocal", kIeee, [](auto x) { return 1.0 / x[0]; }),
    near_formula("square", kIeee, [](auto x) { return x[0] * x[0]; }),
    near_formula("mse_loss", kIeee, [](auto x) { return (x[0] - x[1]) * (x[0] - x[1]); }),
    only_where(is_true_division, "the quotient is rounded before it is truncated or floored",
               near_formula("div", kIeee, [](auto x) { return x[0] / x[1]; })),
};

}  // namespace

std::span<const Definition> arithmetic_definitions() { return kRows; }

}  // namespace upcast::truth
