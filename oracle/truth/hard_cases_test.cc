// Tests with the hard cases in cases/hard. The truth's three ways must agree on them, and our
// implementation must stay within its bounds.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/same_value.h"
#include "oracle/truth/definition.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

constexpr const char* kCases = UPCAST_SOURCE_DIR "/cases/hard/float64.txt";
constexpr const char* kBounds = UPCAST_SOURCE_DIR "/cases/accuracy_bounds.toml";

const std::vector<Case>& hard_cases() {
  static const std::vector<Case> cases = load_cases(kCases);
  return cases;
}

bool is_tensor(const Operand& operand) { return operand.tag == Operand::Tag::kTensor; }

/// The operands' elements that broadcasting combines to one element of the result.
std::vector<double> input_of(const Case& c, const Dims& sizes, std::int64_t element) {
  std::vector<double> input;
  for (const Operand& operand : c.arguments) {
    if (!is_tensor(operand)) continue;
    std::int64_t place = 0, stride = 1, rest = element;
    for (std::size_t k = 1; k <= sizes.size(); ++k) {  // goes from the last dimension to the first
      const std::int64_t at = rest % sizes[sizes.size() - k];
      rest /= sizes[sizes.size() - k];
      if (k > operand.sizes.size()) continue;
      const std::int64_t size = operand.sizes[operand.sizes.size() - k];
      if (size != 1) place += at * stride;
      stride *= size;
    }
    std::memcpy(&input.emplace_back(), operand.values.data() + place * sizeof(double),
                sizeof(double));
  }
  return input;
}

/// The bounds that cases/accuracy_bounds.toml claims for an op in float64.
struct Bound {
  double ulp = 0;
  double of_class = 0;  // the bound of our side, if an exception makes it another one than `ulp`
  double scale = 0;     // errors of values smaller than the scale are measured in ulp of it
  double low = -INFINITY, high = INFINITY;
};

using Bounds = std::map<std::string, Bound, std::less<>>;

/// The bounds in float64 of all ops that round, by the ops' names.
Bounds bounds_of_float64() {
  const toml::table file = toml::parse_file(kBounds);
  Bounds bounds;
  for (const auto& [name, row] : *file["class"].as_table())
    for (const auto& op : *row.as_table()->get("ops")->as_array())
      if (name != "exact")
        bounds[op.value<std::string>().value()].ulp =
            row.as_table()->get("float64")->value<double>().value();
  for (const auto& row : *file["exception"].as_array()) {
    const toml::table& exception = *row.as_table();
    const auto& dtypes = *exception["dtypes"].as_array();
    if (std::none_of(dtypes.begin(), dtypes.end(),
                     [](const auto& d) { return d.template value<std::string>() == "float64"; }))
      continue;
    Bound& bound = bounds[exception["op"].value<std::string>().value()];
    bound.scale = exception["scale"].value_or(0.0);
    bound.of_class = bound.ulp;
    bound.ulp = exception["hard"].value_or(bound.ulp);
    if (const toml::array* within = exception["within"].as_array()) {
      bound.low = within->at(0).value<double>().value();
      bound.high = within->at(1).value<double>().value();
    }
  }
  return bounds;
}

struct Errors {
  std::int64_t elements = 0, decided = 0;
  double max_ulp = 0;  // infinite if only one of answer and truth has a special value
  std::vector<double> worst{};
};

/// The error of an answer in ulp, less what rounding each step may add.
double error_of(double answer, const Value& exact, double scale) {
  if (std::isnan(exact.rounded)) return std::isnan(answer) ? 0 : INFINITY;
  if (answer == exact.rounded && (std::signbit(answer) == std::signbit(exact.rounded) ||
                                  exact.leeway != 0))  // no document says which zero is right
    if (answer == 0 || std::isinf(answer)) return 0;
  if (!std::isfinite(exact.rounded) || !std::isfinite(answer) ||
      (exact.rounded == 0 && answer == 0))
    return INFINITY;
  const double ulp = ulp_of(DType::kFloat64, std::max(std::abs(exact.high), scale));
  return (std::abs((answer - exact.high) - exact.low) - exact.leeway) / ulp;
}

/// The errors of a subject at the inputs for which the bound is claimed.
Errors errors_of(Subject& subject, const Case& c, const Bound& bound) {
  TruthSubject truth;
  const Answer right = answer_of(truth, c), answer = answer_of(subject, c);
  Errors errors;
  if (right.tag != Answer::Tag::kTensor || answer.tag != Answer::Tag::kTensor) return errors;
  errors.elements = numel(right.sizes);
  std::vector<double> values(static_cast<std::size_t>(errors.elements));
  std::memcpy(values.data(), answer.bytes.data(), answer.bytes.size());
  for (std::int64_t i = 0; i < errors.elements; ++i) {
    const Value& exact = truth.exact(right, static_cast<std::size_t>(i)).front();
    if (!exact.decided) continue;
    ++errors.decided;
    const std::vector<double> input = input_of(c, right.sizes, i);
    if (!(input[0] >= bound.low && input[0] <= bound.high)) continue;
    const double error = error_of(values[static_cast<std::size_t>(i)], exact, bound.scale);
    if (error > errors.max_ulp) {
      errors.max_ulp = error;
      errors.worst = input;
    }
  }
  return errors;
}

std::string text(const std::vector<double>& input) {
  std::ostringstream out;
  for (const double x : input) out << (out.tellp() == 0 ? "" : ", ") << std::hexfloat << x;
  return out.str();
}

TEST(HardCases, OursStaysInItsBounds) {
  const auto bounds = bounds_of_float64();
  ImplSubject ours;
  std::int64_t measured = 0;
  std::map<std::string_view, double> largest;
  for (const Case& c : hard_cases()) {
    const auto bound = bounds.find(c.op->spec->name);
    ASSERT_NE(bound, bounds.end()) << c.callable() << " has no bound";
    const Errors found = errors_of(ours, c, bound->second);
    // Some hard pairs of operands are kinks, or cannot be decided by the truth.
    const bool is_pair = std::count_if(c.arguments.begin(), c.arguments.end(), is_tensor) > 1;
    EXPECT_GT(found.elements, 0) << c.callable() << ": no truth";
    EXPECT_GE(found.decided, is_pair ? found.elements / 2 : found.elements)
        << c.callable() << ": no truth of some";
    EXPECT_LE(found.max_ulp, bound->second.ulp) << c.callable() << " at " << text(found.worst);
    measured += found.decided;
    double& error = largest[c.op->spec->name];
    error = std::max(error, found.max_ulp);
  }
  EXPECT_GT(measured, 50000);
  for (const auto& [op, bound] : bounds) {
    if (bound.of_class == 0 || bound.ulp == bound.of_class) continue;
    EXPECT_GT(largest[op], bound.of_class) << op << ": its bound of hard cases is not needed";
  }
}

/// Every op that rounds must have a line among the hard cases. Without one it would never be judged
/// on hard inputs.
TEST(HardCases, EveryOpThatRoundsHasSome) {
  std::set<std::string_view> with;
  for (const Case& c : hard_cases()) with.insert(c.op->spec->name);
  std::int64_t rounding = 0;
  for (const auto& [op, bound] : bounds_of_float64()) {
    if (find_definition(op) == nullptr) continue;  // the op is defined for complex numbers only
    ++rounding;
    EXPECT_TRUE(with.contains(op)) << op << " has no hard cases: tools/hard_cases.py";
  }
  EXPECT_GT(rounding, 100);
}

/// A control: an answer that is two steps off at one input of a published case is noticed.
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
  EXPECT_EQ(errors_of(wrong, c, {}).worst, std::vector{0x1.598bae9e632f6p-7});
  // Broadcasting: element 1 of the result takes the first element of one operand and the second of
  // the other.
  const Case pairs = parse_case("hypot(float64[2,1]{3,5}, float64[2]{4,12})");
  EXPECT_EQ(input_of(pairs, {2, 2}, 1), (std::vector<double>{3, 12}));
  EXPECT_EQ(input_of(pairs, {2, 2}, 2), (std::vector<double>{5, 4}));
  EXPECT_GT(errors_of(wrong, pairs, {}).max_ulp, 1);
}

/// The ball alone, MPFR alone, and float32's filter must give the same bits.
TEST(HardCases, TheTruthsWaysAgree) {
  std::int64_t by_two = 0, by_three = 0;
  for (const Case& c : hard_cases()) {
    const Definition* row = find_definition(c.op->spec->name);
    const bool has_mpfr = row->mpfr_unary != nullptr || row->mpfr_binary != nullptr;
    if (!has_mpfr || row->ball == nullptr || row->attributes != nullptr) continue;
    Definition by_mpfr = *row;
    by_mpfr.near = nullptr;
    by_mpfr.ball = nullptr;
    Definition by_ball = *row;
    by_ball.near = nullptr;
    TruthSubject truth;
    const Answer right = answer_of(truth, c);
    for (const DType dtype : {DType::kFloat64, DType::kFloat32}) {
      Evaluator usual(*row, dtype), ball(by_ball, dtype), mpfr(by_mpfr, dtype);
      for (std::int64_t i = 0; i < numel(right.sizes); ++i) {
        std::vector<double> x = input_of(c, right.sizes, i);
        if (dtype == DType::kFloat32)
          for (double& v : x) v = static_cast<float>(v);
        const double a = usual(x).rounded, b = ball(x).rounded, m = mpfr(x).rounded;
        ASSERT_TRUE(same_value(a, b) && same_value(b, m))
            << row->op << " of " << name(dtype) << " at " << text(x) << ": " << std::hexfloat << a
            << ", " << b << ", " << m;
        ++(dtype == DType::kFloat64 ? by_two : by_three);
      }
    }
  }
  EXPECT_GT(by_two, 3000);
  EXPECT_GT(by_three, 3000);
}

}  // namespace
}  // namespace upcast::truth
