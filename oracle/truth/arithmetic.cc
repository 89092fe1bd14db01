// The truth of arithmetic ops of one step: the exact result, rounded once.
#include <cmath>

#include "oracle/truth/definition.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kIeee = "IEEE 754-2019, 5.4.1 and 7";

/// The definitions of the arithmetic ops. Balls also serve for exact results, because a ball whose
/// precision holds all digits has no radius.
constexpr Definition kRows[] = {
    near_formula("mul", kIeee, [](auto x) { return x[0] * x[1]; }),
    near_formula("reciprocal", kIeee, [](auto x) { return 1.0 / x[0]; }),
    near_formula("square", kIeee, [](auto x) { return x[0] * x[0]; }),
    near_formula("rad2deg", kIeee, [](auto x) { return x[0] * 180.0 / pi(x[0]); }),
    near_formula("deg2rad", kIeee, [](auto x) { return x[0] * pi(x[0]) / 180.0; }),
    {.op = "angle",
     .source = "torch.angle: pi for negative real numbers, 0 for others; NaN stays",
     .special = [](std::span<const double> x) -> std::optional<Known> {
       if (std::isnan(x[0])) return x[0];
       return x[0] < 0 ? std::nullopt : std::optional<Known>(0.0);
     },
     .ball = [](std::span<const Ball> x) { return pi(x[0]); },
     .ieee = [](std::span<const double>) { return pi(0.0); }},
};

}  // namespace

std::span<const Definition> arithmetic_definitions() { return kRows; }

}  // namespace upcast::truth
