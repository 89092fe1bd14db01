// Tests of the minimiser with planted bugs: which difference it keeps, how simple its cases get,
// and which cases it refuses.
#include "fuzz/findings/minimize.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <limits>
#include <set>
#include <utility>

#include "cases/element.h"
#include "cases/notation.h"
#include "cases/testing/usage_error.h"
#include "fuzz/findings/examiner.h"
#include "oracle/planted/planted_bugs.h"

namespace upcast::fuzz {
namespace {

/// Compares an implementation with a planted bug with ours, and tells what a case shows.
class Planted {
 public:
  explicit Planted(std::string_view bug)
      : planted_(make_planted_subject(parse_side("planted?bug=" + std::string(bug)))),
        right_(make_subject("impl:cpu")) {}

  Shown operator()(const Case& c) {
    Reply planted, right;
    planted_->answer(c, planted.answer);
    right_->answer(c, right.answer);
    const Sides sides = sides_of("impl:cpu", "impl:cpu");
    const Verdict verdict = judge(c, planted.answer, right.answer, sides);
    if (verdict.code < VerdictCode::kDifferDType) return {};
    return {.signature = signature_of(c, verdict.code, planted, right, sides),
            .errors = element_errors(c, planted.answer, right.answer, sides, Role::kSubject)};
  }

 private:
  std::unique_ptr<Subject> planted_, right_;
};

struct Row {
  const char* name;
  const char* bug;
  const char* found;
  const char* minimal;
  const char* signature;
};

class Minimize : public testing::TestWithParam<Row> {};

TEST_P(Minimize, FindsTheSimplestCaseOfTheDifference) {
  Planted planted(GetParam().bug);
  const Case found = parse_case(GetParam().found);
  const MinimalCase minimal = minimize(found, [&planted](const Case& c) { return planted(c); });
  EXPECT_EQ(print_case(minimal.c), GetParam().minimal);
  EXPECT_EQ(minimal.signature.text(), GetParam().signature);
  EXPECT_EQ(minimal.signature.essence(), planted(found).signature->essence());
  EXPECT_FALSE(minimal.limit_reached);
}

INSTANTIATE_TEST_SUITE_P(
    PlantedBugs, Minimize,
    testing::Values(
        Row{"AFunctor", "remainder-has-the-sign-of-the-dividend",
            "remainder.Tensor_out(int64[3,5]:permuted, int16[5], out=int64[3,5], values=random, "
            "seed=3) @default=float64",
            "remainder.Tensor(int64[1]{1}, int64[1]{-2})",
            "value remainder.Tensor(int@dim,i64@dim) n->-n"},
        Row{"ARuleOfNumbers", "floating-number-keeps-float64",
            "add.Tensor(int16[4,2]:strides(1,4), 2.75, alpha=3)", "add.Tensor(int64[1]{1}, 0.5)",
            "dtype add.Tensor(int@dim,float@number) float->narrower float"},
        Row{"ACast", "uint8-is-read-with-a-sign",
            "mul.Tensor(uint8[7]{1,2,3,255,5,6,7}, float64[7])",
            "mul.Tensor(uint8[1]{255}, float32[1]{-0.5})",
            "value mul.Tensor(u8@dim,float@dim) x->-x"},
        Row{"AStride", "equal-sizes-change-places",
            "sub.out(float32[2,4,4], float64[4,4]:permuted, out=float64[2,4,4], alpha=2)",
            "sub.Tensor(float32[3,3]{0.5,0.5,0.5,0.5,0.5,0.5,-1,0.5,0.5}, "
            "float32[3,3]:strides(1,3){0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5}, alpha=2)",
            "value sub.Tensor(float@dim,float@dim,alpha=int) -x->-x'"},
        Row{"ATail", "tail-behind-16", "neg(float32[3,19], values=special, seed=5)",
            "neg(float32[17]{0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,-2})",
            "value neg(float@dim) -x->x"}),
    [](const auto& row) { return row.param.name; });

// The control.
TEST(MinimizeControl, RefusesACaseThatDoesNotDiffer) {
  Planted planted("lt-is-le");
  const auto show = [&planted](const Case& each) { return planted(each); };
  const Case c = parse_case("lt.Tensor(int32[2]{1,2}, int32[2]{3,4})");
  EXPECT_EQ(usage_error_of([&] { minimize(c, show); }),
            "nothing differs in lt.Tensor(int32[2]{1,2}, int32[2]{3,4}); there is nothing to "
            "minimize");
}

// A simpler case that shows another difference must not be kept.
TEST(MinimizeControl, KeepsTheDifferenceApartFromOthers) {
  int others = 0;
  const auto show = [&others](const Case& c) -> Shown {
    Reply subject, oracle;
    make_subject("impl:cpu")->answer(c, subject.answer);
    oracle = subject;
    if (c.arguments[0].sizes.size() != 2) {
      ++others;
      oracle.answer.dtype = DType::kFloat64;
      return {.signature = signature_of(c, VerdictCode::kDifferDType, subject, oracle, {})};
    }
    oracle.answer.bytes[0] ^= std::byte{1};
    return {.signature = signature_of(c, VerdictCode::kDifferValue, subject, oracle, {})};
  };
  const MinimalCase minimal = minimize(parse_case("logical_not(bool[3,3])"), show);
  EXPECT_EQ(minimal.c.arguments[0].sizes.size(), 2U);
  EXPECT_EQ(minimal.signature.kind, "value");
  EXPECT_GT(others, 0);
}

/// A difference in values with a given error, whatever the operands of the case are.
Shown shown(const Case& c, ElementError error, std::string known = "") {
  Signature signature{.kind = "value",
                      .op = std::string(c.op->spec->name),
                      .call = std::string(c.callable()),
                      .answers = "x->x'"};
  for (const Operand& operand : c.arguments)
    if (operand.tag != Operand::Tag::kAbsent)
      signature.operands.push_back({.name = "", .dtype = operand.dtype, .kind = "dim"});
  if (c.out.tag == Operand::Tag::kTensor) signature.operands.push_back({.name = "out"});
  return {.signature = signature, .known = std::move(known), .errors = {std::move(error)}};
}

constexpr const char* kOfBFloat16 = "logit(bfloat16[4]{0.1,0.498,0.2,0.3})";

DType dtype_found(const std::string& line, const Show& show) {
  return minimize(parse_case(line), show).c.arguments[0].dtype;
}

/// Whether the first operand of a case is bfloat16. Some tests give cases in bfloat16 another
/// error.
bool is_bfloat16(const Case& c) { return c.arguments[0].dtype == DType::kBFloat16; }

TEST(MinimizeKeepsTheCause, NoStepWeakensTheErrorByAnOrderOfMagnitude) {
  const auto with = [](double in_float32) {
    return dtype_found(kOfBFloat16, [in_float32](const Case& c) {
      return shown(c, {.relative = is_bfloat16(c) ? 0.9 : in_float32});
    });
  };
  EXPECT_EQ(with(8e-7), DType::kBFloat16);
  EXPECT_EQ(with(0.089), DType::kBFloat16);
  EXPECT_EQ(with(0.091), DType::kFloat32);
  EXPECT_EQ(with(7), DType::kFloat32);
  EXPECT_EQ(with(9.1), DType::kBFloat16) << "an error of a higher order is another cause";
}

// Each question halves the error. The fourth step must not be kept: it would leave less than a
// tenth of the first error.
TEST(MinimizeKeepsTheCause, ManySmallStepsDoNotWeakenItEither) {
  const Case c = parse_case("logit(float64[1,1,1,1]{1.23e-300}) @default=float64");
  double error = 2;
  int kept = 0;
  const auto show = [&error](const Case& each) { return shown(each, {.relative = error /= 2}); };
  const MinimalCase minimal = minimize(c, show, [&kept](const Move& move) { kept += move.kept; });
  EXPECT_EQ(minimal.first_error->relative, 1);
  EXPECT_EQ(minimal.last_error->relative, 0.125);
  EXPECT_EQ(kept, 3);
  EXPECT_LT(error, 0.01);
}

TEST(MinimizeKeepsTheCause, AWrongKindStaysTheSame) {
  const auto with = [](const char* in_float32) {
    return dtype_found(kOfBFloat16, [in_float32](const Case& c) {
      return shown(c, {.wrong_kind = is_bfloat16(c) ? "NaN for a finite value" : in_float32,
                       .relative = std::numeric_limits<double>::infinity()});
    });
  };
  EXPECT_EQ(with("an infinity for a finite value"), DType::kBFloat16);
  EXPECT_EQ(with("zero for a number"), DType::kBFloat16);
  EXPECT_EQ(with(""), DType::kBFloat16);
  EXPECT_EQ(with("NaN for a finite value"), DType::kFloat32);
}

TEST(MinimizeKeepsTheCause, TheSameKnownDifferenceExplainsItOrStillNone) {
  const auto with = [](const char* known, const char* in_float32) {
    return dtype_found(kOfBFloat16, [=](const Case& c) {
      return shown(c, {.relative = 0.9}, is_bfloat16(c) ? known : in_float32);
    });
  };
  EXPECT_EQ(with("a", "b"), DType::kBFloat16);
  EXPECT_EQ(with("a", ""), DType::kBFloat16);
  EXPECT_EQ(with("", "a"), DType::kBFloat16);
  EXPECT_EQ(with("a", "a"), DType::kFloat32);
  EXPECT_EQ(with("", ""), DType::kFloat32);
}

// The first element that differs is a little off, the third is far off. The minimiser must show the
// third.
TEST(MinimizeKeepsTheCause, TheWorstElementIsWhatIsShown) {
  const auto show = [](const Case& c) {
    Shown found = shown(c, {});
    found.errors.clear();
    const Operand& operand = c.arguments[0];
    for (std::int64_t i = 0; i < element_count(operand); ++i) {
      const double x = real_part(operand.dtype, operand.values.data() + 4 * i);
      if (x > 0.25) found.errors.push_back({.element = i, .relative = x > 0.45 ? 2 : 1e-6});
    }
    std::stable_sort(found.errors.begin(), found.errors.end(),
                     [](const auto& a, const auto& b) { return a.worse_than(b); });
    if (found.errors.empty()) return Shown{};
    return found;
  };
  const MinimalCase minimal = minimize(parse_case("logit(float32[4]{0.1,0.3,0.49,0.2})"), show);
  EXPECT_EQ(print_case(minimal.c), "logit(float32[1]{0.5})");
  EXPECT_EQ(minimal.first_error->relative, 2);
  EXPECT_EQ(minimal.first_error->element, 2);
  EXPECT_EQ(minimal.last_error->relative, 2);
}

// An entry explains a case with two causes as a whole. Another entry explains its worse element
// alone, which must then not be shown.
TEST(MinimizeKeepsTheCause, AWorseElementOfAnotherCauseIsLeft) {
  const auto show = [](const Case& c) {
    const Operand& operand = c.arguments[0];
    if (operand.dtype != DType::kFloat32) return Shown{};
    const auto x = [&operand](std::int64_t i) {
      return real_part(operand.dtype, operand.values.data() + 4 * i);
    };
    if (element_count(operand) == 1)
      return shown(c,
                   {.relative = x(0) == 100.0  ? 2
                                : x(0) == 37.0 ? 1e-3
                                               : 1e-6},
                   x(0) == 100.0 ? "other" : "one");
    if (x(0) == x(1)) return Shown{};
    Shown found = shown(c, {.element = 1, .relative = 2}, "one");
    found.errors.push_back({.element = 0, .relative = 1e-3});
    return found;
  };
  const MinimalCase minimal = minimize(parse_case("logit(float32[2]{37,100})"), show);
  EXPECT_EQ(print_case(minimal.c), "logit(float32[1]{37})");
  EXPECT_EQ(minimal.first_error->element, 0);
  EXPECT_EQ(minimal.first_error->relative, 1e-3);
}

/// A stand-in for the sides that differ in the case `first`, and agree in every other.
Show only(const Case& first) {
  return [first](const Case& c) {
    return c == first ? shown(c, {.relative = 1}) : Shown{.why_not = "agree"};
  };
}

// A case with 192 different parts, none of which may become simpler: the minimiser reaches its
// limit of questions.
TEST(MinimizeLimit, EndsWithTheBestSoFarAndSaysSo) {
  std::string operand = "complex32[32]{";
  for (int i = 0; i < 32; ++i) operand += (i == 0 ? "" : ",") + std::to_string(i) + ".3+4.7j";
  const std::string operands = operand + "}, " + operand + "}, " + operand + "}";
  const Case c = parse_case("addcmul(" + operands + ", value=7)");
  const MinimalCase minimal = minimize(c, [&](const Case& each) {
    const bool is_kept =
        std::equal(each.arguments.begin(), each.arguments.begin() + 3, c.arguments.begin());
    return is_kept ? shown(each, {.relative = 1}) : Shown{};
  });
  EXPECT_TRUE(minimal.limit_reached);
  EXPECT_LE(minimal.examined, kMostQuestions);
  EXPECT_GT(minimal.examined, kMostQuestions - 30);
  EXPECT_EQ(print_case(minimal.c), "addcmul(" + operands + ")");
}

TEST(MinimizeTrace, TellsEachQuestionOnceAndWhyItWasNotKept) {
  const Case c = parse_case("logit.out(bfloat16[2,2], out=float32[2,2])");
  std::set<std::string> asked;
  int kept = 0, count = 0, questions = 0;
  const auto show = [&](const Case& each) {
    ++questions;
    const bool is_refused = each.out.tag == Operand::Tag::kTensor ||
                            each.arguments[0].dtype == DType::kFloat32;  // tried in each round
    return is_refused ? only(c)(each) : shown(each, {.relative = 1});
  };
  const MinimalCase minimal = minimize(c, show, [&](const Move& move) {
    ++count;
    kept += move.kept;
    EXPECT_NE(move.kept, !move.why.empty()) << print_case(move.c);
    EXPECT_FALSE(move.what.empty());
    const bool is_new = asked.insert(print_case(move.c)).second;
    EXPECT_TRUE(is_new || move.what == "any dtype") << print_case(move.c);
  });
  EXPECT_EQ(print_case(minimal.c), "logit(float64[1])");
  EXPECT_EQ(questions, minimal.examined);
  EXPECT_EQ(count, minimal.examined - 1);
  EXPECT_EQ(kept, minimal.steps);
  EXPECT_FALSE(minimal.limit_reached);
}

TEST(MinimizeAsItIs, AsksOnce) {
  const Case c = parse_case("logit(bfloat16[2]{0.1,0.2})");
  const MinimalCase minimal = as_it_is(c, only(c));
  EXPECT_EQ(minimal.c, c);
  EXPECT_EQ(minimal.examined, 1);
  EXPECT_EQ(minimal.last_error->relative, 1);
}

/// The errors of a side that answers one case as if it were another one: our answer to the case
/// `wrong`, judged against our answer to the case `right`.
std::vector<ElementError> errors_of(const char* wrong, const char* right,
                                    Role role = Role::kSubject) {
  const Case a = parse_case(wrong), b = parse_case(right);
  const auto impl = make_subject("impl:cpu");
  const Answer subject = answer_of(*impl, a), oracle = answer_of(*impl, b);
  return element_errors(b, subject, oracle, sides_of("impl:cpu", "impl:cpu"), role);
}

TEST(ElementErrors, TheWorstComesFirst) {
  const auto errors = errors_of("positive(float32[9]{1,nan,2,inf,0,5,-0.0,nan,7})",
                                "positive(float32[9]{1,3,4,inf,6,0,0.0,inf,6.9})");
  std::vector<std::pair<std::int64_t, std::string>> told;
  for (const ElementError& error : errors) told.emplace_back(error.element, error.text());
  EXPECT_EQ(told, (std::vector<std::pair<std::int64_t, std::string>>{{1, "NaN for a finite value"},
                                                                     {7, "NaN for an infinity"},
                                                                     {4, "zero for a number"},
                                                                     {2, "relative error 0.5"},
                                                                     {8, "relative error 0.014"},
                                                                     {5, "a number for zero"},
                                                                     {6, "the other zero"}}));
  EXPECT_EQ(errors[2].relative, 1);
  EXPECT_EQ(worst_of_its_kind(errors)->element, 1);
}

TEST(ElementErrors, AreMeasuredByWhoIsRight) {
  EXPECT_EQ(errors_of("neg(float32[1]{8})", "neg(float32[1]{2})").at(0).relative, 3);
  EXPECT_EQ(errors_of("neg(float32[1]{8})", "neg(float32[1]{2})", Role::kOracle).at(0).relative,
            0.75);
  EXPECT_TRUE(errors_of("neg(float32[1]{2})", "neg(float32[1]{2})").empty());
  EXPECT_TRUE(errors_of("neg(float64[1]{8})", "neg(float32[1]{2})").empty());
}

TEST(ElementErrors, OfAComplexNumberTheWorsePartCounts) {
  const auto errors = errors_of("neg(complex64[2]{1+3j,0+2j})", "neg(complex64[2]{1+2j,4+2j})");
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].text(), "zero for a number");
  EXPECT_EQ(errors[1].relative, 0.5);
}

TEST(ElementErrors, TheWorstIsOfTheKindOfTheFirstThatDiffers) {
  const auto errors = errors_of("positive(float32[4]{1,2,3,nan})", "positive(float32[4]{1,4,9,8})");
  EXPECT_EQ(errors.front().element, 3);
  EXPECT_EQ(worst_of_its_kind(errors)->element, 2);
  EXPECT_EQ(worst_of_its_kind({}), nullptr);
}

TEST(ChildSide, SurvivesWhatKillsAndWhatHangs) {
  register_subject("findings-test", [](const Side& side) -> std::unique_ptr<Subject> {
    struct Deadly : Subject {
      bool hangs;
      explicit Deadly(bool h) : hangs(h) {}
      void answer(const Case& c, Answer& answer) override {
        if (c.arguments[0].sizes.empty()) {
          if (hangs)
            for (;;) pause();
          raise(SIGFPE);
        }
        make_subject("impl:cpu")->answer(c, answer);
      }
    };
    return std::make_unique<Deadly>(settings_text(side) == "hangs");
  });
  for (const auto& [name, death] : {std::pair("findings-test?dies", "crash(SIGFPE)"),
                                    std::pair("findings-test?hangs", "timeout")}) {
    ChildSide side(name, 0.3);
    EXPECT_EQ(side.ask(parse_case("neg(int8[1]{3})")).text(), "int8[1]{-3}");
    EXPECT_EQ(side.ask(parse_case("neg(int8[])")).death, death);
    EXPECT_EQ(side.ask(parse_case("neg(int8[1]{4})")).text(), "int8[1]{-4}");
  }
  EXPECT_THROW(ChildSide("findings-none", 1).ask(parse_case("neg(int8[])")), UsageError);
}

TEST(Examiner, TellsAKnownDifferenceFromAnUnknownOne) {
  register_subject("planted", &make_planted_subject);
  Examiner examiner("planted?bug=lt-is-le", "impl:cpu", 10, {});
  const Finding same = examiner.examine(parse_case("lt.Tensor(int32[1]{1}, int32[1]{2})"));
  EXPECT_FALSE(same.signature);
  const Finding found = examiner.examine(parse_case("lt.Tensor(int32[1]{1}, int32[1]{1})"));
  ASSERT_TRUE(found.signature);
  EXPECT_EQ(found.signature->text(), "value lt.Tensor(i32@dim,i32@dim) True->False");
  EXPECT_EQ(found.known, "");
}

}  // namespace
}  // namespace upcast::fuzz
