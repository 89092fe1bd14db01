// Tests of values that are known from other sources, for each kind of numbers, and of whole calls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "cases/notation.h"
#include "oracle/judge.h"
#include "oracle/truth/steps.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

struct Row {
  const char* line;
  const char* answer;
};

Answer answer_of(const char* line) {
  TruthSubject truth;
  return answer_of(truth, parse_case(line));
}

void expect_answers(std::span<const Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(to_text(answer_of(row.line)), row.answer) << row.line;
}

TEST(Values, OfIntegers) {
  const Row rows[] = {
      {"add.Tensor(int8[3]{127,-128,5}, int8[3]{1,-1,7}, alpha=3)", "int8[3]{-126,125,26}"},
      {"mul.Tensor(int64[1]{9223372036854775807}, int64[1]{3})", "int64[1]{9223372036854775805}"},
      {"add.Tensor(bool[2]{1,0}, bool[2]{1,0})", "bool[2]{True,False}"},
      {"floor_divide(int8[4]{-7,7,-7,-128}, int8[4]{3,-3,-3,-1})", "int8[4]{-3,-3,2,-128}"},
      {"remainder.Tensor(int8[3]{-7,7,-7}, int8[3]{3,-3,-3})", "int8[3]{2,-2,-1}"},
      {"fmod.Tensor(int8[3]{-7,7,-7}, int8[3]{3,-3,-3})", "int8[3]{-1,1,-1}"},
      {"div.Tensor_mode(int8[2]{-7,7}, int8[2]{2,2}, rounding_mode=\"trunc\")", "int8[2]{-3,3}"},
      {"pow.Tensor_Tensor(int32[4]{3,-1,2,-1}, int32[4]{21,-3,-1,4})",
       "int32[4]{1870418611,-1,0,1}"},
      {"gcd(int32[3]{12,0,-18}, int32[3]{18,0,12})", "int32[3]{6,0,6}"},
      {"bitwise_left_shift.Tensor(int8[2]{1,3}, int8[2]{7,8})", "int8[2]{-128,0}"},
      {"bitwise_right_shift.Tensor(int8[2]{-128,-1}, int8[2]{3,9})", "int8[2]{-16,-1}"},
      {"bitwise_not(bool[2]{1,0})", "bool[2]{False,True}"},
      {"lt.Tensor(int64[1]{9223372036854775806}, int64[1]{9223372036854775807})", "bool[1]{True}"},
      {"clamp(uint8[3]{0,7,200}, min=-5, max=100)", "uint8[3]{0,7,100}"},
      {"copy_(float32[2], int64[2]{16777217,9007199254740993})",
       "float32[2]{16777216,9.007199e+15}"},
      {"copy_(uint8[3], int32[3]{300,-1,5})", "uint8[3]{44,255,5}"},
  };
  expect_answers(rows);
  EXPECT_EQ(answer_of("fmod.Tensor(int8[1]{3}, int8[1]{0})").rejection,
            RejectionCode::kZeroDivision);
}

TEST(Values, OfSelectionsAndRoundings) {
  const Row rows[] = {
      {"maximum(float32[2]{1,nan}, float32[2]{2,1})", "float32[2]{2,nan}"},
      {"fmax(float32[2]{1,nan}, float32[2]{2,1})", "float32[2]{2,1}"},
      {"round(float32[4]{0.5,1.5,-0.5,2.5})", "float32[4]{0,2,-0,2}"},
      {"nextafter(float16[3]{1,0,65504}, float16[3]{2,-1,inf})", "float16[3]{1.001,-6e-08,inf}"},
      {"floor_divide(float32[3]{-7,7,1}, float32[3]{2,-2,0})", "float32[3]{-4,-4,inf}"},
      {"div.Tensor_mode(float32[2]{-1,7}, float32[2]{3,2}, rounding_mode=\"trunc\")",
       "float32[2]{-0,3}"},
      {"remainder.Tensor(float32[2]{-1,5}, float32[2]{3,-3})", "float32[2]{2,-1}"},
      {"frexp.Tensor(float32[2]{6,0})", "float32[2]{0.75,0}"},
      {"signbit(float32[3]{-0.0,0,-1})", "bool[3]{True,False,True}"},
      {"sign(float32[3]{nan,-3,-0.0})", "float32[3]{nan,-1,0}"},
      {"nan_to_num(float16[3]{nan,inf,-inf})", "float16[3]{0,65504,-65504}"},
      {"special_hermite_polynomial_h.n_scalar(float64[2]{2,0.5}, 3)", "float64[2]{40,-5}"},
      {"special_legendre_polynomial_p.n_scalar(float64[1]{0.5}, 2)", "float64[1]{-0.125}"},
      {"special_chebyshev_polynomial_v.n_scalar(float64[1]{2}, 2)", "float64[1]{11}"},
      {"addcmul(float32[1]{1}, float32[1]{2}, float32[1]{3}, value=0.5)", "float32[1]{4}"},
      {"mul.Scalar_out(int16[2]{300,2}, 300, out=int16[2])", "int16[2]{24464,600}"},
  };
  expect_answers(rows);
  EXPECT_EQ(to_text(answer_of("frexp.Tensor(float32[2]{6,0})").further.at(0)), "int32[2]{3,0}");
}

/// Whether round(x) has a tie is decided by the exact value of x, not by the digits with which x is
/// written.
TEST(Values, OfDecimalsAreJudgedOnTheNumberItself) {
  EXPECT_EQ(to_text(answer_of("round.decimals(float64[3]{2.675,0.5,25}, decimals=2)")),
            "float64[3]{2.67,0.5,25}");
  EXPECT_EQ(to_text(answer_of("round.decimals(float64[2]{25,35}, decimals=-1)")),
            "float64[2]{20,40}");
}

/// The right values of logit_backward differ from those of LibTorch's formula in float64, which
/// gives 18.749999999999996 and 23.52941176470588.
TEST(Values, OfFormulasAreRoundedOnce) {
  const Row rows[] = {
      {"logit_backward(float64[3]{3,3,3}, float64[3]{0.2,0.15,2})",
       "float64[3]{18.75,23.529411764705884,nan}"},
      {"logit_backward(float64[2]{3,3}, float64[2]{0.2,0.05}, eps=0.1)", "float64[2]{18.75,0}"},
      {"elu_backward(float64[3]{inf,inf,inf}, 1, 3, -1, False, float64[3]{-800,1,-inf})",
       "float64[3]{-inf,inf,-inf}"},
      {"elu_backward(float64[2]{inf,inf}, 0, 3, 1, False, float64[2]{-800,1})",
       "float64[2]{nan,inf}"},
  };
  expect_answers(rows);
}

TEST(Values, OfComplexNumbers) {
  const Row rows[] = {
      {"sqrt(complex128[3]{-4+0j,-4-0j,3+4j})", "complex128[3]{0+2j,0-2j,2+1j}"},
      {"exp(complex64[2]{0-0j,-inf+1j})", "complex64[2]{1-0j,0+0j}"},
      {"log(complex128[2]{0-0j,-1+0j})", "complex128[2]{-inf-0j,0+3.141592653589793j}"},
      {"cos(complex128[1]{0+0j})", "complex128[1]{1-0j}"},
      {"asin(complex128[2]{2+0j,2-0j})",
       "complex128[2]{1.5707963267948966+1.3169578969248168j,"
       "1.5707963267948966-1.3169578969248168j}"},
      {"abs(complex64[2]{3+4j,-inf+1j})", "float32[2]{5,inf}"},
      {"angle(complex64[1]{-1-0j})", "float32[1]{-3.1415927}"},
      {"polar(float32[1]{2}, float32[1]{0})", "complex64[1]{2+0j}"},
      {"eq.Tensor(complex64[2]{1+1j,1+2j}, complex64[2]{1+1j,1+1j})", "bool[2]{True,False}"},
      {"div.Tensor(complex128[1]{1+2j}, complex128[1]{3-4j})", "complex128[1]{-0.2+0.4j}"},
      {"conj_physical(complex64[1]{1-0j})", "complex64[1]{1+0j}"},
      {"logaddexp(complex64[2]{-1+1e19j,-1+1j}, complex64[2]{-1+1j,-1+1e19j})",
       "complex64[2]{-0.32536075+0.8081978j,-0.32536075+0.8081978j}"},
  };
  expect_answers(rows);
}

/// By C23, G.6, the sign of a zero or an infinity next to a NaN is known unless the tables call it
/// unspecified. A product with an infinity is known if the textbook's steps give no NaN.
TEST(Values, OfComplexInfinitiesFollowAnnexG) {
  const Row rows[] = {
      {"sqrt(complex64[2]{nan+infj,inf+nanj})", "complex64[2]{inf+infj,inf+nanj}"},
      {"log(complex64[3]{inf+nanj,nan+infj,-inf+infj})",
       "complex64[3]{inf+nanj,inf+nanj,inf+2.3561945j}"},
      {"acos(complex64[2]{nan+infj,-inf+infj})", "complex64[2]{nan-infj,2.3561945-infj}"},
      {"acosh(complex64[2]{nan+infj,-inf+infj})", "complex64[2]{inf+nanj,inf+2.3561945j}"},
      {"asinh(complex64[2]{inf+nanj,inf+infj})", "complex64[2]{inf+nanj,inf+0.7853982j}"},
      {"atanh(complex64[3]{0+nanj,inf+nanj,-1+0j})", "complex64[3]{0+nanj,0+nanj,-inf+0j}"},
      {"exp(complex64[1]{nan-0j})", "complex64[1]{nan-0j}"},
      {"sinh(complex64[1]{nan-0j})", "complex64[1]{nan-0j}"},
      {"cosh(complex64[1]{inf+nanj})", "complex64[1]{inf+nanj}"},
      {"tanh(complex64[3]{0+infj,-0+nanj,nan+0j})", "complex64[3]{0+nanj,-0+nanj,nan+0j}"},
      {"tan(complex64[1]{inf+0j})", "complex64[1]{nan+0j}"},
      {"mul.Tensor(complex64[2]{inf+1j,nan+1j}, complex64[2]{1+1j,0+0j})",
       "complex64[2]{inf+infj,nan+nanj}"},
      {"div.Tensor(complex64[1]{inf+1j}, complex64[1]{2+3j})", "complex64[1]{inf-infj}"},
      {"add.Tensor(complex64[2]{1+0j,1+1j}, complex64[2]{0+infj,nan+2j})",
       "complex64[2]{1+infj,nan+3j}"},
      {"add.Tensor(complex64[1]{inf+1j}, complex64[1]{inf+2j}, alpha=-1)", "complex64[1]{nan-1j}"},
      {"sub.Tensor(complex64[1]{1+1j}, float32[1]{inf})", "complex64[1]{-inf+1j}"},
      {"rsub.Tensor(complex64[1]{inf+2j}, complex64[1]{1+1j})", "complex64[1]{-inf-1j}"},
  };
  for (const auto& [line, wanted] : rows) {
    const Answer answer = answer_of(line);
    const Answer right = answer_of(fmt::format("clone({})", wanted).c_str());
    EXPECT_EQ(judge(parse_case(line), answer, right).code, VerdictCode::kAgree)
        << line << ": " << to_text(answer);
    for (const double leeway : answer.leeway) EXPECT_FALSE(std::isinf(leeway)) << line;
  }
}

/// Elements whose value no document defines stay open, also next to an element whose value is
/// known.
TEST(Values, LeaveOpenWhatIsNotSpecified) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::pair<const char*, std::vector<double>> rows[] = {
      {"gcd(int8[2]{-128,4}, int8[2]{0,6})", {kInf, 0}},
      {"bitwise_left_shift.Tensor(int8[2]{1,1}, int8[2]{-1,1})", {kInf, 0}},
      {"add.Tensor(complex64[2]{1+1j,1+1j}, complex64[2]{inf+2j,3+2j}, alpha=2)", {kInf, 0}},
      {"sub.Tensor(complex64[2]{1+1j,1+1j}, complex64[2]{inf+2j,3+2j}, alpha=1+0j)", {kInf, 0}},
      {"mul.Tensor(complex64[2]{inf+0j,inf+1j}, complex64[2]{1+0j,1+1j})", {kInf, 0}},
      {"div.Tensor(complex64[2]{1+0j,inf+1j}, complex64[2]{inf+infj,2+3j})", {kInf, 0}},
      {"div.Tensor(complex64[2]{1+0j,1+0j}, complex64[2]{0+0j,1+0j})", {kInf, 0}},
      {"reciprocal(complex64[2]{inf+0j,nan+1j})", {kInf, 0}},
      {"acos(complex64[2]{inf+nanj,nan+infj})", {kInf, 0}},
      {"sqrt(complex64[2]{-inf+nanj,nan+infj})", {kInf, 0}},
      {"exp(complex64[2]{inf+nanj,nan+0j})", {kInf, 0}},
      {"sinh(complex64[2]{inf+infj,nan+0j})", {kInf, 0}},
      {"cosh(complex64[2]{inf+infj,inf+nanj})", {kInf, 0}},
      {"cos(complex64[2]{inf+infj,nan+infj})", {kInf, 0}},
      {"asinh(complex64[2]{nan+infj,inf+nanj})", {kInf, 0}},
      {"acosh(complex64[2]{0+nanj,nan+infj})", {kInf, 0}},
  };
  for (const auto& [line, leeway] : rows) {
    const Answer answer = answer_of(line);
    ASSERT_EQ(answer.leeway.size(), 2U) << line;
    EXPECT_EQ(std::isinf(answer.leeway[0]), std::isinf(leeway[0])) << line;
    EXPECT_FALSE(std::isinf(answer.leeway[1])) << line;
  }
  EXPECT_GT(answer_of("maximum(float32[1]{-0.0}, float32[1]{0})").leeway.at(0), 0);
}

/// 1 - alpha * b cancels. float32 rounds the product first, so the result may be off by half an ulp
/// of the product.
TEST(Steps, LoseWhatWasRoundedBeforeADifference) {
  const Answer answer = answer_of("sub.Tensor(float32[2]{1,1}, float32[2]{0.33333334,4}, alpha=3)");
  ASSERT_EQ(answer.leeway.size(), 2U);
  EXPECT_GE(answer.leeway[0], 0x1p-25);
  EXPECT_LE(answer.leeway[0], 0x1p-22);
  const Answer exact = answer_of("add.Tensor(float32[2]{1,1e30}, float32[2]{0.33333334,4})");
  EXPECT_TRUE(exact.leeway.empty()) << "one step has no leeway";
  const Answer beyond = answer_of("sub.Tensor(float32[1]{3e38}, float32[1]{2e38}, alpha=2)");
  EXPECT_TRUE(std::isinf(beyond.leeway.at(0))) << "the product overflows";
}

/// The exact value of a last step that overflows is known, so its infinity is decided. It stays
/// open where only one end of what the steps may lose overflows.
TEST(Steps, MayOverflowInTheLastOne) {
  constexpr Row kDecided[] = {
      {"add.Tensor(float32[2]{3e38,-3e38}, float32[2]{3e38,-3e38})", "float32[2]{inf,-inf}"},
      {"add.Tensor(bfloat16[2]{3.3895e38,3.3895e38}, bfloat16[2]{2.6e36,6.6e35})",
       "bfloat16[2]{inf,3.3895e+38}"},
      {"sub.Tensor(float32[1]{3e38}, float32[1]{-1e38}, alpha=3)", "float32[1]{inf}"},
      {"mse_loss(float32[1]{2e19}, float32[1]{0}, reduction=0)", "float32[1]{inf}"}};
  expect_answers(kDecided);
  for (const Row& row : kDecided)
    for (const double leeway : answer_of(row.line).leeway) EXPECT_EQ(leeway, 0) << row.line;
  // An infinity, whether the product is rounded before the sum or not
  constexpr Row kAfterAnOverflow[] = {
      {"addcmul(float32[2]{1,-3e38}, float32[2]{1e30,1e30}, float32[2]{1e30,1e30})",
       "float32[2]{inf,inf}"},
      {"addcmul(bfloat16[1]{1}, bfloat16[1]{-1e30}, bfloat16[1]{1e30}, value=0.5)",
       "bfloat16[1]{-inf}"},
      {"addcdiv(float32[1]{1}, float32[1]{1e30}, float32[1]{1e-30})", "float32[1]{inf}"},
      {"addcmul(float32[1]{-3e38}, float32[1]{2e19}, float32[1]{2e19})",
       "float32[1]{undecided}"}};  // 4e38 - 3e38, or an infinity
  expect_answers(kAfterAnOverflow);
  // The largest bfloat16, and half a step of it less or more 2^-25 of that
  const Answer edge = answer_of(
      "add.Tensor(bfloat16[1]{3.3895e38}, bfloat16[1]{6.62e35}, alpha=1.003921568627451)");
  EXPECT_TRUE(std::isinf(edge.leeway.at(0))) << to_text(edge);
}

/// The steps of 74 - 50 log(74) + 50 log(50) - 50 + log(100 pi) / 2 have large terms that cancel:
/// about 200 less 193.
TEST(Steps, OfAWholeCompositionAreItsLeeway) {
  const std::string call =
      "poisson_nll_loss(uint8[1]{74}, uint8[1]{50}, log_input=False, full=True, eps=0.0, "
      "reduction=0)";
  const Answer answer = answer_of((call + " @default=float64").c_str());
  EXPECT_EQ(to_text(answer), "float64[1]{7.272845647117561}");
  ASSERT_EQ(answer.leeway.size(), 1U);
  EXPECT_GT(answer.leeway[0], 0x1p-45) << "ours is 2^-46 above, LibTorch's as far below";
  EXPECT_LT(answer.leeway[0], 0x1p-40);
  EXPECT_EQ(answer_of((call + " @default=bfloat16").c_str()).tag, Answer::Tag::kNotJudged);
  const Answer plain = answer_of(
      "poisson_nll_loss(float32[4]{1,0,-inf,-1}, float32[4]{2,3,1,1}, "
      "log_input=False, full=False, eps=0.0, reduction=0)");
  EXPECT_EQ(to_text(plain), "float32[4]{1,inf,nan,nan}");
}

/// With an infinite delta the loss is quadratic for every error. It has three rounded steps: a
/// difference, its half and a product.
TEST(Steps, OfAQuadraticLossCountBelowAnInfiniteDelta) {
  const char* const call = "huber_loss(float32[1]{{1.3333334}}, float32[1]{{2}}, 0, delta={})";
  const Answer infinite = answer_of(fmt::format(fmt::runtime(call), "inf").c_str());
  const Answer finite = answer_of(fmt::format(fmt::runtime(call), "100").c_str());
  EXPECT_EQ(to_text(infinite), to_text(finite));
  ASSERT_EQ(infinite.leeway.size(), 1U);
  EXPECT_GT(infinite.leeway[0], 0);
  EXPECT_EQ(infinite.leeway, finite.leeway);
  const Answer far = answer_of("huber_loss(float32[1]{3e38}, float32[1]{-3e38}, 0, delta=inf)");
  EXPECT_EQ(to_text(far), "float32[1]{inf}");
  EXPECT_TRUE(far.leeway.empty()) << "the error overflows, and so does its square";
}

/// PyTorch multiplies two integers in their dtype. If that product wraps, the truth is unknown.
TEST(Steps, OfIntegersAreDecidedWhereTheirProductDoesNotWrap) {
  const std::string attributes = "log_input=True, full=False, eps=0.0, reduction=0)";
  const Answer bytes =
      answer_of(("poisson_nll_loss(uint8[2]{5,5}, uint8[2]{51,52}, " + attributes).c_str());
  EXPECT_EQ(to_text(bytes), "float32[2]{-106.58684,undecided}");
  const Answer mixed =
      answer_of(("poisson_nll_loss(int8[2]{5,5}, uint8[2]{51,52}, " + attributes).c_str());
  EXPECT_EQ(to_text(mixed), "float32[2]{-106.58684,-111.58684}") << "int16 holds both";
  const Answer floating =
      answer_of(("poisson_nll_loss(uint8[1]{5}, float32[1]{52}, " + attributes).c_str());
  EXPECT_EQ(to_text(floating), "float32[1]{-111.58684}");
}

/// If float32 rounds 1 + 1e-8 to 1, its logarithm is 0, and an infinity times it is NaN.
TEST(Steps, OfAnInfiniteFactorAreLostNextToWhatMayBeZero) {
  const std::string attributes = "log_input=False, full=False, eps=1e-08, reduction=0)";
  for (const char* const dtype : {"float32", "float64"}) {
    const Answer answer = answer_of(
        fmt::format("poisson_nll_loss({0}[2]{{1,2}}, {0}[2]{{-inf,-inf}}, {1}", dtype, attributes)
            .c_str());
    const bool is_lost = dtype == std::string_view("float32");
    EXPECT_EQ(to_text(answer),
              fmt::format("{}[2]{{{},inf}}", dtype, is_lost ? "undecided" : "inf"));
  }
}

/// In exp(5 log(3 + 4i)), errors of the logarithm's real part act along the result, errors of its
/// angle across it.
TEST(Steps, OfAComplexPowerAreThoseOfItsLogarithm) {
  const Case c = parse_case("pow.Tensor_Tensor(complex64[1]{3+4j}, complex64[1]{5+0j})");
  TruthSubject truth;
  const Answer right = answer_of(truth, c);  // the exact value is -237 - 3116i
  ASSERT_EQ(right.leeway.size(), 1U);
  const double modulus = std::log(5.0), angle = std::atan2(4.0, 3.0);
  const double lost = 0x1p-23 * 3116 * 5 * (4 * modulus + 2 * angle * 237 / 3116);
  EXPECT_NEAR(right.leeway[0], lost, 0.01 * lost);
  const auto verdict_of = [&](double distance) {
    Answer off = right;
    off.leeway.clear();  // so that the answer counts as that of any other side
    off.rest.clear();
    auto* parts = reinterpret_cast<float*>(off.bytes.data());
    parts[1] += static_cast<float>(distance);
    return judge(c, off, right, {Implementation::kOurs, Implementation::kTruth}).code;
  };
  constexpr double kUlp = 0x1p-12;
  EXPECT_EQ(verdict_of(right.leeway[0] - kUlp), VerdictCode::kAgree);
  EXPECT_NE(verdict_of(right.leeway[0] + 2 * kUlp), VerdictCode::kAgree);
  EXPECT_NE(verdict_of(-right.leeway[0] - 2 * kUlp), VerdictCode::kAgree);
}

/// glibc's results in float32 must stay within the leeway. They come near it, so that it is not far
/// too wide.
TEST(Steps, OfAComplexPowerHoldForGlibc) {
  double nearest = 0;
  for (int k = 1; k <= 400; ++k) {
    const std::complex<float> z(0.37F * static_cast<float>(k % 23) - 4,
                                0.29F * static_cast<float>(k % 31) - 3.7F);
    const std::complex<float> w(0.31F * static_cast<float>(k % 17) - 2.5F,
                                0.43F * static_cast<float>(k % 13) - 2.7F);
    const Answer right =
        answer_of(fmt::format("pow.Tensor_Tensor(complex64[1]{{{}{:+}j}}, complex64[1]{{{}{:+}j}})",
                              z.real(), z.imag(), w.real(), w.imag())
                      .c_str());
    std::complex<float> exact;
    std::memcpy(&exact, right.bytes.data(), sizeof exact);
    if (right.leeway.empty() || std::isinf(right.leeway[0])) continue;
    const std::complex<float> found = std::exp(w * std::log(z));
    const double ulp =
        ulp_of(DType::kFloat32, std::max(std::abs(exact.real()), std::abs(exact.imag())));
    const double error =
        std::max(std::abs(found.real() - exact.real()), std::abs(found.imag() - exact.imag()));
    EXPECT_LE(error, right.leeway[0] + 2 * ulp) << z << ' ' << w;
    nearest = std::max(nearest, error / (right.leeway[0] + 2 * ulp));
  }
  EXPECT_GT(nearest, 0.2);
}

}  // namespace
}  // namespace upcast::truth
