// Tests of the cases that are out of scope: no side is asked about them.
#include "fuzz/out_of_scope.h"

#include <gtest/gtest.h>

#include "cases/notation.h"

namespace upcast::fuzz {
namespace {

TEST(OutOfScope, SaysWhyNoSideIsAsked) {
  EXPECT_NE(why_not_asked(parse_case("mse_loss(float32[2], float32[2])")), "");
  EXPECT_EQ(why_not_asked(parse_case("mse_loss(float32[2], float32[2], reduction=0)")), "");
  EXPECT_NE(why_not_asked(parse_case("copy(undefined, int32[2])")), "");
  EXPECT_NE(why_not_asked(parse_case("igammac(float32[7,64,1,1], float32[31,8])")), "");
  EXPECT_EQ(why_not_asked(parse_case("igammac(float32[7,64], float32[64])")), "");
}

TEST(OutOfScope, NoLoopStepsThroughAnArgumentForYears) {
  for (const char* line :
       {"special_zeta(float64[1]{2}, float64[1]{-1e15})", "special_polygamma(1, float32[1]{-1e9})",
        "special_hermite_polynomial_h.n_scalar(float32[1]{2}, 100000)",
        "special_multigammaln(float32[1]{2}, p=100000000)"})
    EXPECT_NE(why_not_asked(parse_case(line)), "") << line;
  for (const char* line :
       {"special_zeta(float64[1]{-1e15}, float64[1]{2})", "digamma(float32[1]{-1e30})",
        "special_hermite_polynomial_h.n_scalar(float32[1]{1e9}, 5)",
        "mvlgamma(float32[1]{2}, p=3)"})
    EXPECT_EQ(why_not_asked(parse_case(line)), "") << line;
}

}  // namespace
}  // namespace upcast::fuzz
