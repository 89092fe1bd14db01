// The hard cases (cases/hard): the truth's three ways agree on them, and ours stays in its bounds.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

constexpr const char* kCases = UPCAST_SOURCE_DIR "/cases/hard/float64.txt";
constexpr const char* kBounds = UPCAST_SOURCE_DIR "/cases/accuracy_bounds.toml";

std::vector<Case> hard_cases() { return load_cases(kCases); }

std::vector<double> inputs_of(const Case& c) {
  const Operand& operand = c.arguments[0];
  std::vector<double> inputs(operand.values.size() / sizeof(double));
  std::memcpy(inputs.data(), operand.values.data(), operand.values.size());
  return inputs;
}

/// What cases/accuracy_bounds.toml claims of an op in float64.
struct Bound {
  double ulp = 0;
  double scale = 0;  // the error of smaller values is in ulp of it
  double low = -INFINITY, high = INFINITY;
};

std::map<std::string, Bound, std::less<>> bounds_of_float64() {
  const toml::table file = toml::parse_file(kBounds);
  std::map<std::string, Bound, std::less<>> bounds;
  for (const auto& [name, row] : *file["class"].as_table())
    for (const auto& op : *row.as_table()->get("ops")->as_array())
      bounds[op.value<std::string>().value()].ulp =
          row.as_table()->get("float64")->value<double>().value();
  for (const auto& row : *file["exception"].as_array()) {
    const toml::table& exception = *row.as_table();
    const auto& dtypes = *exception["dtypes"].as_array();
    if (std::none_of(dtypes.begin(), dtypes.end(),
                     [](const auto& d) { return d.template value<std::string>() == "float64"; }))
      continue;
    Bound& bound = bounds.at(exception["op"].value<std::string>().value());
    bound.scale = exception["scale"].value_or(0.0);
    if (const toml::array* within = exception["within"].as_array()) {
      bound.low = within->at(0).value<double>().value();
      bound.high = within->at(1).value<double>().value();
    }
  }
  return bounds;
}

struct Errors {
  std::int64_t inputs = 0;
  double max_ulp = 0;  // infinite where a special value is out of place
  std::size_t worst = 0;
};

/// Of the inputs that the bound is about.
Errors errors_of(Subject& subject, const Case& c, const Bound& bound) {
  TruthSubject truth;
  Answer right, answer;
  truth.answer(c, right);
  subject.answer(c, answer);
  Errors errors;
  if (right.tag != Answer::Tag::kTensor || answer.tag != Answer::Tag::kTensor) return errors;
  const std::vector<double> inputs = inputs_of(c);
  std::vector<double> values(inputs.size());
  std::memcpy(values.data(), answer.bytes.data(), answer.bytes.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value& exact = truth.exact()[i];
    if (!exact.decided) continue;
    ++errors.inputs;
    if (!(inputs[i] >= bound.low && inputs[i] <= bound.high)) continue;
    double error = 0;
    const bool equal = values[i] == exact.rounded;
    if (!std::isfinite(exact.rounded) || !std::isfinite(values[i]) ||
        (exact.rounded == 0 && values[i] == 0)) {
      const bool right_one = std::isnan(exact.rounded)
                                 ? std::isnan(values[i])
                                 : equal && std::signbit(values[i]) == std::signbit(exact.rounded);
      error = right_one ? 0 : INFINITY;
    } else {
      const double ulp = ulp_of(DType::kFloat64, std::max(std::abs(exact.high), bound.scale));
      error = std::abs((values[i] - exact.high) - exact.low) / ulp;
    }
    if (error > errors.max_ulp) errors = {errors.inputs, error, i};
  }
  return errors;
}

TEST(HardCases, OursStaysInItsBounds) {
  const auto bounds = bounds_of_float64();
  ImplSubject ours;
  std::int64_t measured = 0;
  for (const Case& c : hard_cases()) {
    const auto bound = bounds.find(c.op->spec->name);
    ASSERT_NE(bound, bounds.end()) << c.callable() << " has no bound";
    const Errors found = errors_of(ours, c, bound->second);
    EXPECT_EQ(found.inputs, element_count(c.arguments[0])) << c.callable() << ": no truth";
    EXPECT_LE(found.max_ulp, bound->second.ulp)
        << c.callable() << " at " << std::hexfloat << inputs_of(c)[found.worst] << ", input "
        << found.worst;
    measured += found.inputs;
  }
  EXPECT_GT(measured, 10000);
}

/// An answer that is two steps off at one input of a published case is found.
TEST(HardCases, TwoStepsAreFound) {
  class TwoOff : public Subject {
   public:
    void answer(const Case& c, Answer& answer) override {
      ours_.answer(c, answer);
      double first;
      std::memcpy(&first, answer.bytes.data(), sizeof first);
      first = std::nextafter(first, 2 * first);
      first = std::nextafter(first, 2 * first);
      std::memcpy(answer.bytes.data(), &first, sizeof first);
    }

   private:
    ImplSubject ours_;
  };
  TwoOff wrong;
  const Case c = parse_case("sin(float64[2]{0x1.598bae9e632f6p-7,0x1.02p-3})");
  ImplSubject ours;
  EXPECT_LT(errors_of(ours, c, {}).max_ulp, 0.9);
  EXPECT_GT(errors_of(wrong, c, {}).max_ulp, 1);
  EXPECT_EQ(errors_of(wrong, c, {}).worst, 0U);
}

/// The ball and MPFR each alone, and float32's filter beside both, give the same bits.
TEST(HardCases, TheTruthsWaysAgree) {
  std::int64_t by_two = 0, by_three = 0;
  for (const Case& c : hard_cases()) {
    const Definition* row = find_definition(c.op->spec->name);
    if (row->mpfr_unary == nullptr || row->ball == nullptr) continue;
    Definition by_mpfr = *row;
    by_mpfr.near = nullptr;
    by_mpfr.ball = nullptr;
    Definition by_ball = *row;
    by_ball.near = nullptr;
    for (const DType dtype : {DType::kFloat64, DType::kFloat32}) {
      Evaluator usual(*row, dtype), ball(by_ball, dtype), mpfr(by_mpfr, dtype);
      for (const double input : inputs_of(c)) {
        const double x =
            dtype == DType::kFloat32 ? static_cast<double>(static_cast<float>(input)) : input;
        const double a = usual(std::span(&x, 1)).rounded, b = ball(std::span(&x, 1)).rounded,
                     m = mpfr(std::span(&x, 1)).rounded;
        const auto same = [](double p, double q) {
          return std::bit_cast<std::uint64_t>(p) == std::bit_cast<std::uint64_t>(q) ||
                 (std::isnan(p) && std::isnan(q));
        };
        ASSERT_TRUE(same(a, b) && same(b, m))
            << row->op << " of " << name(dtype) << " at " << std::hexfloat << x << ": " << a << ", "
            << b << ", " << m;
        ++(dtype == DType::kFloat64 ? by_two : by_three);
      }
    }
  }
  EXPECT_GT(by_two, 3000);
  EXPECT_GT(by_three, 3000);
}

}  // namespace
}  // namespace upcast::truth
