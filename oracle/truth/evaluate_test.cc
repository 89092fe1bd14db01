#include "oracle/truth/evaluate.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "impl/ops/catalogue.h"
#include "oracle/same_value.h"
#include "oracle/truth/hurwitz_zeta.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double truth(std::string_view op, DType dtype, std::vector<double> x) {
  Evaluator evaluate(*find_definition(op), dtype);
  return evaluate(x).rounded;
}

/// Draws arguments of every size. They are values of float32, which float64 holds exactly too.
double draw(std::mt19937_64& random) {
  constexpr double kSpecial[] = {0.0, -0.0, kInf, -kInf, kNaN, 1.0, -1.0};
  switch (random() % 5) {
    case 4:
      return kSpecial[random() % std::size(kSpecial)];
    case 0:
      return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    case 1:
      return static_cast<float>(std::ldexp(double(random() >> 11), -53));
    case 2:
      return static_cast<float>(std::ldexp(double(random() >> 11), -49) - 8);
    default:
      return double(random() % 41) - 20;
  }
}

struct Way {
  std::string_view name;
  void (*change)(Definition&);
};

/// The filter, the ball and MPFR are three implementations. Each alone must give the same bits.
TEST(Evaluate, EveryWayGivesTheSameBits) {
  constexpr Way kWays[] = {{"without the filter", [](Definition& row) { row.near = nullptr; }},
                           {"by MPFR alone", [](Definition& row) {
                              row.near = nullptr;
                              row.ball = nullptr;
                            }}};
  std::int64_t compared = 0;
  std::int64_t filtered = 0;
  for (const Definition& row : elementary_definitions()) {
    const int arity = row.mpfr_binary != nullptr ? 2 : 1;
    for (const DType dtype : {DType::kFloat64, DType::kFloat32, DType::kFloat16}) {
      for (const Way& way : kWays) {
        Definition other = row;
        way.change(other);
        Evaluator usual(row, dtype);
        Evaluator changed(other, dtype);
        std::mt19937_64 random(3);
        for (int i = 0; i < 400; ++i) {
          std::array<double, 2> x{draw(random), draw(random)};
          const std::span<const double> arguments(x.data(), arity);
          const double a = usual(arguments).rounded;
          const double b = changed(arguments).rounded;
          ASSERT_TRUE(same_value(a, b))
              << row.op << " of " << name(dtype) << " at " << std::hexfloat << x[0] << ", " << x[1]
              << " " << way.name << ": " << b << " against " << a;
          ++compared;
        }
        filtered += usual.decided().filter;
      }
    }
  }
  EXPECT_GT(compared, 50000);
  EXPECT_GT(filtered, compared / 3);
}

/// A control: a filter that errs by more than its bound is noticed.
TEST(Evaluate, AWrongFilterIsFound) {
  Definition row = *find_definition("sin");
  row.near = [](std::span<const double> x) { return std::sin(x[0]) * (1 + 0x1p-20); };
  Evaluator right(*find_definition("sin"), DType::kFloat32);
  Evaluator wrong(row, DType::kFloat32);
  std::mt19937_64 random(5);
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const double x = draw(random);
    found += same_value(right(std::span(&x, 1)).rounded, wrong(std::span(&x, 1)).rounded) ? 0 : 1;
  }
  EXPECT_GT(found, 10);
}

/// Results that no float32 can hold are decided by glibc's exceptions. Poles are not results of
/// that kind.
TEST(Evaluate, OverflowAndUnderflowAreNoPoles) {
  struct Row {
    std::string_view op;
    std::vector<double> x;
    bool by_filter;
  };
  const Row rows[] = {
      {"exp", {1000}, true},    {"exp", {-1000}, true},     {"exp2", {3000}, true},
      {"exp2", {-3000}, true},  {"expm1", {1000}, true},    {"sinh", {-1000}, true},
      {"cosh", {-1000}, true},  {"erfc", {40}, true},       {"erfc", {26}, true},
      {"pow", {10, 400}, true}, {"pow", {-10, -401}, true}, {"pow", {-10, 401}, true},
      {"log1p", {-1}, false},   {"atanh", {-1}, false},     {"log", {1}, false},
      {"acos", {1}, false},
  };
  for (const Row& row : rows) {
    Definition by_mpfr = *find_definition(row.op);
    by_mpfr.near = nullptr;
    by_mpfr.ball = nullptr;
    Evaluator usual(*find_definition(row.op), DType::kFloat32);
    Evaluator slow(by_mpfr, DType::kFloat32);
    const Value value = usual(row.x);
    EXPECT_TRUE(same_value(value.rounded, slow(row.x).rounded)) << row.op << ' ' << row.x[0];
    EXPECT_EQ(usual.decided().filter, row.by_filter ? 1 : 0) << row.op << ' ' << row.x[0];
  }
}

/// For random inputs, filters stay within the largest errors that glibc and our formulas claim.
TEST(Evaluate, NearValuesAreWithinTheirError) {
  std::int64_t compared = 0;
  for (const Definition* row : all_definitions()) {
    if (row->near == nullptr) continue;
    ASSERT_GT(row->near_ulp, 0) << row->op;
    const double attribute = row->op == "div" ? 0 : row->op == "pow" ? kNaN : 1;
    std::mt19937_64 random(11);
    for (int i = 0; i < 3000; ++i) {
      const std::array<double, 3> x{draw(random), draw(random), attribute};
      if (x[0] == 0 || x[1] == 0) continue;  // balls cannot tell the two zeros apart
      const double near = row->near(x);
      if (!std::isfinite(near) || std::abs(near) < 0x1p-960) continue;
      std::vector<Ball> exact;
      for (const double v : x) exact.emplace_back(v, 256);
      const Ball ball = row->ball(exact);
      if (arb_is_finite(ball.get()) == 0) continue;
      Ball error = ball - near;
      arb_abs(error.get(), error.get());
      const double ulp =
          arf_get_d(arb_midref(error.get()), ARF_RND_UP) / ulp_of(DType::kFloat64, near);
      ASSERT_LE(ulp, row->near_ulp) << row->op << " at " << std::hexfloat << x[0] << ", " << x[1];
      ++compared;
    }
  }
  EXPECT_GT(compared, 40000);
}

TEST(Evaluate, ExactResultsAreFound) {
  EXPECT_EQ(truth("exp2", DType::kFloat64, {3}), 8);
  EXPECT_EQ(truth("sqrt", DType::kFloat64, {49}), 7);
  EXPECT_EQ(truth("pow", DType::kFloat64, {3, 4}), 81);
  EXPECT_EQ(truth("pow", DType::kFloat64, {0.25, -1.5}), 8);
  EXPECT_EQ(truth("log2", DType::kFloat64, {0.125}), -3);
  EXPECT_EQ(truth("log10", DType::kFloat64, {1000}), 3);
  EXPECT_EQ(truth("hypot", DType::kFloat64, {3, 4}), 5);
  EXPECT_EQ(truth("logaddexp2", DType::kFloat64, {1, 1}), 2);
  EXPECT_EQ(truth("sigmoid", DType::kFloat64, {0}), 0.5);
  EXPECT_EQ(truth("special_ndtr", DType::kFloat64, {0}), 0.5);
  EXPECT_EQ(truth("sinc", DType::kFloat64, {3}), 0);
}

TEST(Evaluate, PolesLimitsAndSignsOfZeros) {
  struct Row {
    std::string_view op;
    std::vector<double> x;
    double value;
  };
  const Row rows[] = {
      {"sin", {-0.0}, -0.0},
      {"sin", {kInf}, kNaN},
      {"log", {-1}, kNaN},
      {"log", {0}, -kInf},
      {"exp", {-kInf}, 0},
      {"exp", {1e300}, kInf},
      {"pow", {kNaN, 0}, 1},
      {"pow", {-0.0, -3}, -kInf},
      {"pow", {-8, 1.0 / 3}, kNaN},
      {"atan2", {-0.0, -1}, -3.141592653589793},
      {"hypot", {kNaN, kInf}, kInf},
      {"rsqrt", {-0.0}, -kInf},
      {"add", {1, -1, 1}, 0},
      {"add", {-0.0, -0.0, 1}, -0.0},
      {"add", {kInf, -kInf, 1}, kNaN},
      {"mul", {0, -3}, -0.0},
      {"div", {1, -0.0, 0}, -kInf},
      {"div", {0, 0, 0}, kNaN},
      {"lgamma", {-3}, kInf},
      {"lgamma", {-kInf}, kInf},
      {"digamma", {0}, -kInf},
      {"digamma", {-0.0}, kInf},
      {"digamma", {-2}, kNaN},
      {"polygamma", {-2, 1}, kInf},
      {"polygamma", {-2, 2}, -kInf},
      {"igamma", {0, 1}, 1},
      {"igammac", {2, kInf}, 0},
      {"igamma", {-1, 1}, kNaN},
      {"special_zeta", {1, 2}, kInf},
      {"special_zeta", {0.5, 2}, kNaN},
      {"special_zeta", {2.5, -0.5}, kNaN},
      {"i0", {-kInf}, kInf},
      {"special_i1", {-kInf}, -kInf},
      {"special_bessel_j1", {-0.0}, -0.0},
      {"special_bessel_y0", {0}, -kInf},
      {"special_modified_bessel_k0", {-1}, kNaN},
      {"special_airy_ai", {-kInf}, 0},
      {"special_spherical_bessel_j0", {0}, 1},
      {"silu", {-kInf}, -0.0},
      {"gelu", {-kInf, 0}, -0.0},
      {"erfinv", {-1}, -kInf},
      {"special_ndtri", {0}, -kInf},
      {"special_log_ndtr", {kInf}, -0.0},
      {"logit", {1, -1e308, 1e308}, kInf},
      {"xlogy", {0, kNaN}, kNaN},
      {"xlogy", {0, kInf}, 0},
      {"logaddexp", {-kInf, -kInf}, -kInf},
      {"logaddexp", {kInf, -kInf}, kInf},
  };
  for (const Row& row : rows)
    EXPECT_TRUE(same_value(truth(row.op, DType::kFloat64, row.x), row.value))
        << row.op << "(" << row.x[0] << "): " << truth(row.op, DType::kFloat64, row.x)
        << ", expected " << row.value;
}

/// Values from other sources: mathematical constants, and results of other libraries.
TEST(Evaluate, SpecialFunctionsHaveTheirTabulatedValues) {
  EXPECT_NEAR(truth("digamma", DType::kFloat64, {1}), -0.57721566490153286, 1e-16);
  EXPECT_NEAR(truth("special_bessel_j0", DType::kFloat64, {2.4048255576957728}), 0, 1e-15);
  EXPECT_NEAR(truth("special_airy_ai", DType::kFloat64, {0}), 0.35502805388781724, 1e-16);
  EXPECT_NEAR(truth("i0", DType::kFloat64, {1}), 1.26606587775200834, 3e-16);
  EXPECT_NEAR(truth("special_modified_bessel_k1", DType::kFloat64, {1}), 0.60190723019723457,
              2e-16);
  EXPECT_NEAR(truth("special_zeta", DType::kFloat64, {2, 1}), 1.64493406684822644, 3e-16);
  EXPECT_NEAR(truth("special_zeta", DType::kFloat64, {3, -0.5}), 0.41439832211716, 1e-13);
  EXPECT_NEAR(truth("special_zeta", DType::kFloat64, {40, 1}), 1.0000000000009095, 3e-16);
  EXPECT_NEAR(truth("special_zeta", DType::kFloat64, {1.5, 1e10}), 2e-5, 1e-14);
  EXPECT_NEAR(truth("polygamma", DType::kFloat64, {1, 1}), 1.64493406684822644, 3e-16);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(truth("polygamma", DType::kFloat16, {-265.5, 10})),
            std::bit_cast<std::uint64_t>(-0.0))
      << "-2.05e-19: too small, but it has a sign";
  EXPECT_NEAR(truth("igamma", DType::kFloat64, {1, 1}), 0.63212055882855768, 2e-16);
  EXPECT_NEAR(truth("special_erfcx", DType::kFloat64, {5}), 0.11070463773306862, 3e-17);
  EXPECT_NEAR(truth("special_log_ndtr", DType::kFloat64, {-1e8}), -5000000000000019.0, 1.0);
  // 0.975 is no float64. ndtri has the slope 17 there, so its last digits differ from those of the
  // published value.
  EXPECT_NEAR(truth("special_ndtri", DType::kFloat64, {0.975}), 1.95996398454005424, 1e-15);
  EXPECT_NEAR(truth("gelu", DType::kFloat64, {1, 0}), 0.84134474606854293, 2e-16);
}

/// Our zeta gives the same bits as Arb's, which uses another algorithm.
TEST(HurwitzZeta, IsArbs) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 200; ++i) {
    const Ball s(1.0 + std::ldexp(double(random() >> 11), -49), 128);
    const Ball q(std::ldexp(double(random() >> 11) + 1, -48 - static_cast<int>(random() % 8)), 128);
    const Ball ours = hurwitz_zeta(s, q);
    Ball arbs(128);
    arb_hurwitz_zeta(arbs.get(), s.get(), q.get(), 128);
    ASSERT_NE(arb_overlaps(ours.get(), arbs.get()), 0);
    ASSERT_GT(arb_rel_accuracy_bits(ours.get()), 70);
  }
}

TEST(Definitions, NameOpsOfTheCatalogueOnce) {
  std::set<std::string_view> seen;
  for (const Definition* row : all_definitions()) {
    EXPECT_TRUE(seen.insert(row->op).second) << row->op;
    EXPECT_FALSE(row->source.empty()) << row->op;
    const auto& ops = catalogue();
    EXPECT_TRUE(std::any_of(ops.begin(), ops.end(), [row](const Op& op) {
      return op.spec->name == row->op;
    })) << row->op;
  }
  EXPECT_GT(seen.size(), 60U);
}

}  // namespace
}  // namespace upcast::truth
