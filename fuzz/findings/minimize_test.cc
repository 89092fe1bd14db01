// The minimiser on planted bugs: what it keeps, how far down it goes, and what it refuses.
#include "fuzz/findings/minimize.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "cases/notation.h"
#include "cases/testing/usage_error.h"
#include "fuzz/findings/examiner.h"
#include "oracle/planted/planted_bugs.h"

namespace upcast::fuzz {
namespace {

/// What differs between a planted bug and our implementation.
class Planted {
 public:
  explicit Planted(std::string_view bug)
      : planted_(make_planted_subject(parse_side("planted?bug=" + std::string(bug)))),
        right_(make_subject("impl:cpu")) {}

  std::optional<Signature> operator()(const Case& c) {
    Reply planted, right;
    planted_->answer(c, planted.answer);
    right_->answer(c, right.answer);
    const Sides sides = sides_of("impl:cpu", "impl:cpu");
    const Verdict verdict = judge(c, planted.answer, right.answer, sides);
    if (verdict.code < VerdictCode::kDifferDType) return std::nullopt;
    return signature_of(c, verdict.code, planted, right, sides);
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
  const auto difference_of = [&planted](const Case& c) { return planted(c); };
  const MinimalCase minimal = minimize(found, difference_of);
  EXPECT_EQ(print_case(minimal.c), GetParam().minimal);
  EXPECT_EQ(minimal.signature.text(), GetParam().signature);
  EXPECT_EQ(minimal.signature.essence(), planted(found)->essence());
}

INSTANTIATE_TEST_SUITE_P(
    PlantedBugs, Minimize,
    testing::Values(
        Row{"AFunctor", "remainder-has-the-sign-of-the-dividend",
            "remainder.Tensor_out(int64[3,5]:permuted, int16[5], out=int64[3,5], values=random, "
            "seed=3) @default=float64",
            "remainder.Tensor(bool[1]{True}, int8[1]{-2})",
            "value remainder.Tensor(b8@dim,i8@dim) n->-n"},
        Row{"ARuleOfNumbers", "floating-number-keeps-float64",
            "add.Tensor(int16[4,2]:strides(1,4), 2.75, alpha=3)", "add.Tensor(bool[1]{True}, 0.5)",
            "dtype add.Tensor(b8@dim,float@number) float->narrower float"},
        Row{"ACast", "uint8-is-read-with-a-sign",
            "mul.Tensor(uint8[7]{1,2,3,255,5,6,7}, float64[7])",
            "mul.Tensor(uint8[1]{255}, float32[1]{-1})",
            "value mul.Tensor(u8@dim,float@dim) x->-x"},
        Row{"AStride", "equal-sizes-change-places",
            "sub.out(float32[2,4,4], float64[4,4]:permuted, out=float64[2,4,4], alpha=2)",
            "sub.Tensor(uint8[3,3]{1,0,1,0,1,1,1,2,1}, "
            "float32[3,3]:strides(1,3){1,1,1,1,1,3,1,1,1})",
            "value sub.Tensor(int@dim,f32@dim) -x->-x'"},
        Row{"ATail", "tail-behind-16", "neg(float32[3,19], values=special, seed=5)",
            "neg(float32[17]{1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,-1})", "value neg(float@dim) -x->x"}),
    [](const auto& row) { return row.param.name; });

// The control.
TEST(MinimizeControl, RefusesACaseThatDoesNotDiffer) {
  Planted planted("lt-is-le");
  const auto difference_of = [&planted](const Case& c) { return planted(c); };
  const Case c = parse_case("lt.Tensor(int32[2]{1,2}, int32[2]{3,4})");
  EXPECT_EQ(usage_error_of([&] { minimize(c, difference_of); }),
            "nothing differs in lt.Tensor(int32[2]{1,2}, int32[2]{3,4}); there is nothing to "
            "minimize");
}

// A simpler case that shows another difference is no simplification.
TEST(MinimizeControl, KeepsTheDifferenceApartFromOthers) {
  int others = 0;
  const auto difference_of = [&others](const Case& c) -> std::optional<Signature> {
    Reply subject, oracle;
    make_subject("impl:cpu")->answer(c, subject.answer);
    oracle = subject;
    if (c.arguments[0].sizes.size() != 2) {
      ++others;
      oracle.answer.dtype = DType::kFloat64;
      return signature_of(c, VerdictCode::kDifferDType, subject, oracle, {});
    }
    oracle.answer.bytes[0] ^= std::byte{1};
    return signature_of(c, VerdictCode::kDifferValue, subject, oracle, {});
  };
  const MinimalCase minimal = minimize(parse_case("logical_not(bool[3,3])"), difference_of);
  EXPECT_EQ(minimal.c.arguments[0].sizes.size(), 2U);
  EXPECT_EQ(minimal.signature.kind, "value");
  EXPECT_GT(others, 0);
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
