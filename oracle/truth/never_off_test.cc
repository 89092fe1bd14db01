// Tests of the truth as an arbiter, over every op that has one. The truth is never ruled to be off,
// and a mistake in one element is noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cases/grid.h"
#include "cases/notation.h"
#include "impl/core/cast.h"
#include "oracle/error_bounds.h"
#include "oracle/judge.h"
#include "oracle/same_value.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/truth/coverage.h"
#include "oracle/truth/truth_subject.h"
#include "oracle/ulp.h"
#include "oracle/verdict_text.h"

namespace upcast::truth {
namespace {

using Outcome = Ruling::Outcome;

constexpr Sides kSides{Implementation::kOurs, Implementation::kOurs};
constexpr std::int64_t kMostElements = 2048;
constexpr double kFar = 0.9;  // ulp

/// A few cases for every op and every kind of numbers, whose answers have few elements.
std::vector<Case> some_cases() {
  constexpr int kPerKind = 3;
  std::map<std::pair<std::string_view, NumberKind>, int> taken;
  std::vector<Case> cases;
  const Plan plan = make_grid("ops");
  for (const GridRow& row : plan.rows) {
    if (row.prototype.form != Form::kFunctional) continue;
    for (std::int64_t index = row.count / 7; index < row.count; index += row.count / 5 + 1) {
      Case c = row.prototype;
      row.decode(index, c);
      std::int64_t elements = 1;
      for (const Operand& operand : c.arguments)
        if (operand.tag == Operand::Tag::kTensor)
          elements = std::max(elements, numel(operand.sizes));
      const DType dtype =
          std::find_if(c.arguments.begin(), c.arguments.end(), [](const Operand& o) {
            return o.tag == Operand::Tag::kTensor;
          })->dtype;
      int& count = taken[{c.op->spec->name, kind_of(dtype)}];
      if (elements > kMostElements || count >= kPerKind) continue;
      ++count;
      cases.push_back(c);
    }
  }
  return cases;
}

enum class Mistake : std::uint8_t { kNaN, kFlippedZero, kOneStep };

/// Makes a mistake in one element of an answer. Returns false if the mistake cannot be made there.
bool make(Mistake mistake, Answer& answer, std::size_t element) {
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  std::byte* const bytes = answer.bytes.data() + element * size;
  if (is_bool(answer.dtype) || is_integral(answer.dtype)) {
    bytes[0] ^= std::byte{1};
    return mistake == Mistake::kOneStep;
  }
  const DType part = to_real(answer.dtype);
  const double value = parts_of(part, bytes)[0];
  switch (mistake) {
    case Mistake::kNaN: {
      if (std::isnan(value)) return false;
      const double nan = std::numeric_limits<double>::quiet_NaN();
      cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&nan), part, bytes, 1);
      return true;
    }
    case Mistake::kFlippedZero: {
      const double flipped = -value;
      cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&flipped), part, bytes, 1);
      return value == 0 && std::signbit(parts_of(part, bytes)[0]) != std::signbit(value);
    }
    case Mistake::kOneStep:
      if (!std::isfinite(value) || value == 0) return false;
      bytes[0] ^= std::byte{1};
      return true;
  }
  return false;
}

bool is_exact(const Case& c) {
  const Accuracy& accuracy = c.op->spec->accuracy;
  for (const Bounds* bounds : {&accuracy.float32, &accuracy.float64, &accuracy.reduced,
                               &accuracy.complex64, &accuracy.complex128})
    if (bounds->ours != 0) return false;
  return true;
}

/// Changes a real element by one step, so that it is at least 0.9 ulp from the exact value. Returns
/// false if no step does so: a step towards the exact value may end nearer.
bool make_far_step(Answer& answer, std::size_t element) {
  if (answer.rest.empty() || is_complex(answer.dtype)) return false;
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  std::byte* const bytes = answer.bytes.data() + element * size;
  const double right = parts_of(answer.dtype, bytes)[0];
  if (!std::isfinite(right) || right == 0) return false;
  bytes[0] ^= std::byte{1};
  const double error = std::abs((parts_of(answer.dtype, bytes)[0] - right) - answer.rest[element]);
  return std::isfinite(error) && error >= kFar * ulp_of(answer.dtype, right);
}

struct Counts {
  std::int64_t cases = 0, mistakes = 0, must_be_found = 0, far_steps = 0;
  std::set<std::pair<std::string_view, NumberKind>> ops{};
  std::set<std::string_view> far_steps_of{};  // ops with far steps, other than exact ones
};

/// Checks that a step away from the exact value is noticed in our side's answer, which is held to
/// its own bound. This holds for ops that are not exact too.
void check_far_step(const Case& c, const Answer& right, DType common, Counts& counts) {
  if (accuracy_bound(c, common, Implementation::kOurs) >= kFar) return;
  const std::size_t elements = right.bytes.size() / static_cast<std::size_t>(itemsize(right.dtype));
  for (std::size_t place = 0; place < elements; ++place) {
    Answer wrong = right;
    if ((!right.leeway.empty() && right.leeway[place] != 0) || !make_far_step(wrong, place))
      continue;
    ++counts.far_steps;
    if (!is_exact(c)) counts.far_steps_of.insert(c.op->spec->name);
    const Verdict verdict = judge(c, wrong, right, {Implementation::kOurs, Implementation::kTruth});
    EXPECT_EQ(verdict.code, VerdictCode::kDifferValue)
        << print_case(c) << " element " << place << ": one step passes";
    return;
  }
}

void check_case(const Case& c, TruthSubject& truth, Counts& counts) {
  const Answer right = answer_of(truth, c);
  if (right.tag != Answer::Tag::kTensor || right.bytes.empty()) return;
  ++counts.cases;
  check_far_step(c, right, truth.common_dtype(), counts);
  const std::size_t elements = right.bytes.size() / static_cast<std::size_t>(itemsize(right.dtype));
  for (const Mistake mistake : {Mistake::kNaN, Mistake::kFlippedZero, Mistake::kOneStep}) {
    Answer wrong = right;
    std::size_t place = 0;
    while (place < elements &&
           ((!right.leeway.empty() && right.leeway[place] != 0) || !make(mistake, wrong, place))) {
      wrong.bytes = right.bytes;
      ++place;
    }
    if (place == elements) continue;
    ++counts.mistakes;
    counts.ops.insert({c.op->spec->name, kind_of(right.dtype)});
    const Verdict verdict = judge(c, wrong, right, {Implementation::kOurs, Implementation::kTruth});
    // The machine decides the element, so no mistake shows.
    if (verdict.code == VerdictCode::kNotJudged) continue;
    if (mistake != Mistake::kOneStep || is_exact(c)) {
      ++counts.must_be_found;
      EXPECT_EQ(verdict.code, VerdictCode::kDifferValue)
          << print_case(c) << " element " << place << " mistake " << static_cast<int>(mistake);
    }
    if (verdict.code != VerdictCode::kDifferValue) continue;
    wrong.leeway.clear();  // so that the answer counts as that of any other side
    wrong.rest.clear();
    const Ruling first = arbitrate(c, right, wrong, kSides);
    const Ruling second = arbitrate(c, wrong, right, kSides);
    EXPECT_TRUE(first.outcome == Outcome::kOracleIsOff || first.outcome == Outcome::kUndecided)
        << print_case(c) << ": " << sentence(first);
    EXPECT_TRUE(second.outcome == Outcome::kSubjectIsOff || second.outcome == Outcome::kUndecided)
        << print_case(c) << ": " << sentence(second);
    if (mistake != Mistake::kOneStep) {
      EXPECT_EQ(second.outcome, Outcome::kSubjectIsOff)
          << print_case(c) << ": " << sentence(second);
    }
  }
}

TEST(NeverOff, OverEveryOpThatHasATruth) {
  TruthSubject truth;
  Counts counts;
  for (const Case& c : some_cases()) check_case(c, truth, counts);
  EXPECT_GT(counts.cases, 700);
  EXPECT_GT(counts.ops.size(), 200U);
  EXPECT_GT(counts.must_be_found, 1000);
  EXPECT_GT(counts.far_steps, 300);
  EXPECT_GT(counts.far_steps_of.size(), 60U);
  RecordProperty("far_steps", static_cast<int>(counts.far_steps));
  RecordProperty("ops with far steps", static_cast<int>(counts.far_steps_of.size()));
  RecordProperty("cases", static_cast<int>(counts.cases));
}

/// Small numbers must be decided for every callable. A definition that decides no element would
/// accept every answer.
TEST(Truth, DecidesSmallNumbersForEveryCallable) {
  TruthSubject truth;
  std::map<std::pair<std::string_view, NumberKind>, std::int64_t> decided;
  const Plan plan = make_grid("ops");
  for (const GridRow& row : plan.rows) {
    Case c = row.prototype;
    if (c.form != Form::kFunctional || c.values != ValueClass::kSmall) continue;
    for (std::int64_t index = 0; index < row.count; ++index) {
      row.decode(index, c);
      const Answer right = answer_of(truth, c);
      if (right.tag != Answer::Tag::kTensor || right.bytes.empty()) continue;
      const auto elements = static_cast<std::int64_t>(right.bytes.size()) / itemsize(right.dtype);
      const auto open = std::count_if(right.leeway.begin(), right.leeway.end(),
                                      [](double leeway) { return std::isinf(leeway); });
      decided[{c.schema().callable, kind_of(truth.common_dtype())}] += elements - open;
    }
  }
  EXPECT_GT(decided.size(), 300U);
  for (const auto& [key, count] : decided)
    EXPECT_GT(count, 0) << key.first << " over " << name(key.second);
}

}  // namespace
}  // namespace upcast::truth
