// Tests that an element's value depends neither on the instructions of the loop nor on the number
// of threads.
#include "oracle/impl_subject.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/grid.h"
#include "cases/known_differences.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "impl/cpu/cpu_engine.h"
#include "oracle/judge.h"
#include "oracle/modules/emulated_subject.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

constexpr Sides kNoTolerance{Implementation::kOurs, Implementation::kOurs};

ImplSubject cpu(CpuSettings settings) {
  return ImplSubject(std::make_unique<CpuEngine>(settings), {});
}

/// Expects that two subjects answer the same bits; all NaNs count as one.
void expect_same(const Case& c, ImplSubject& one, ImplSubject& other) {
  const Answer first = answer_of(one, c), second = answer_of(other, c);
  const Verdict verdict = judge(c, first, second, kNoTolerance);
  if (verdict.not_judged ==
      // A NaN converted to an integer may be any value, but ours is always the same.
      NotJudged::kMachineDecides) {
    ASSERT_EQ(first.bytes, second.bytes) << print_case(c);
    return;
  }
  ASSERT_EQ(verdict.code, VerdictCode::kAgree) << print_case(c) << ": " << sentence(verdict);
  ASSERT_EQ(verdict.max_ulp, 0) << print_case(c);
}

TEST(ImplSubject, RefusesADTypeWithoutElementsWhereLoopsWouldConvertIt) {
  ImplSubject subject;
  for (const char* line :
       {"add.Tensor(uint1[4], 2.5)", "less.Tensor_out(uint1[4], 2.5, out=int32[4])",
        "add.out(float32[4], float32[4], out=uint1[4])"}) {
    const Answer answer = answer_of(subject, parse_case(line));
    EXPECT_EQ(answer.tag, Answer::Tag::kRefusal) << line;
    EXPECT_EQ(answer.rejection, RejectionCode::kUnsupportedDType) << line;
  }
  EXPECT_EQ(to_text(answer_of(subject, parse_case("less.Tensor(uint1[0], 2.5)"))), "bool[0]{}");
}

TEST(ImplSubject, DeclinesALossThatIsReduced) {
  ImplSubject subject;
  Answer answer;
  for (const char* line :
       {"mse_loss(float32[2], float32[2])", "l1_loss(float32[2], float32[2], reduction=2)",
        "huber_loss(float32[2], float32[2], reduction=1)",
        "mse_loss.out(float32[2], float32[2], reduction=1, out=float32[])"}) {
    subject.answer(parse_case(line), answer);
    EXPECT_EQ(answer.tag, Answer::Tag::kNotJudged) << line;
    EXPECT_NE(answer.detail.find("elementwise only without reduction"), std::string::npos) << line;
  }
  subject.answer(parse_case("mse_loss(float32[2], float32[2], reduction=0)"), answer);
  EXPECT_EQ(answer.tag, Answer::Tag::kTensor);
}

TEST(ImplSubject, EveryCapabilityGivesTheSameBits) {
  const Plan plan = make_grid("ops");
  ImplSubject baseline = cpu({.capability = Capability::kBaseline});
  ImplSubject middle = cpu({.capability = std::min(Capability::kV3, best_capability())});
  ImplSubject best;
  constexpr std::int64_t kEvery = 29;
  std::int64_t compared = 0;
  for (std::int64_t index = 0; index < plan.planned; index += kEvery, ++compared) {
    const GridRow& row = plan.row_of(index);
    Case c = row.prototype;
    row.decode(index - row.first, c);
    expect_same(c, baseline, best);
    expect_same(c, middle, best);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, 1000);
}

/// Rows of 200 elements take special loops if they have strides, or if an operand repeats one
/// element in each row. The values must be those of dense rows and of short rows.
TEST(ImplSubject, LongRowsGiveTheBitsOfDenseOnesAndOfShortOnes) {
  ImplSubject ours;
  const auto bytes_of = [&ours](const std::string& line) {
    const Answer answer = answer_of(ours, parse_case(line));
    EXPECT_EQ(answer.tag, Answer::Tag::kTensor) << line;
    return answer.bytes;
  };
  for (const std::string op : {"add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "lt.Tensor",
                               "maximum", "atan2", "fmod.Tensor", "copysign.Tensor"})
    for (const std::string dtype :
         {"uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"}) {
      const auto call = [&](const std::string& a, const std::string& b) {
        return op + "(" + dtype + a + ", " + dtype + b + ", values=random, seed=3)";
      };
      if (op == "fmod.Tensor" && !dtype.starts_with("f"))
        continue;  // fmod refuses a divisor 0, which random integers may contain
      const auto dense = bytes_of(call("[5,200]", "[5,200]"));
      EXPECT_EQ(bytes_of(call("[5,200]:strides(900,2)", "[5,200]")), dense) << op << dtype;
      EXPECT_EQ(bytes_of(call("[5,200]", "[5,200]:strides(1,7)")), dense) << op << dtype;
      // In [200,70] with [200,1], each row takes one element of the second operand. Permuted, the
      // rows also have strides.
      const auto row = [&](int i, const std::vector<std::byte>& all) {
        const auto size = all.size() / 200;
        return std::vector<std::byte>(all.begin() + i * static_cast<std::ptrdiff_t>(size),
                                      all.begin() + (i + 1) * static_cast<std::ptrdiff_t>(size));
      };
      const auto column = bytes_of(call("[200,70]", "[200,1]"));
      const auto turned = bytes_of(call("[200,70]:permuted", "[200,1]"));
      for (const int i : {0, 99, 199})
        EXPECT_EQ(row(i, turned), row(i, column)) << op << dtype << i;
    }
}

TEST(ImplSubject, LongRowsAreWrittenWithStrides) {
  ImplSubject ours;
  for (const char* other : {"float32[5,200]", "float32[5,1]", "float32[]"}) {
    const std::string call = "mul.out(float32[5,200], " + std::string(other) + ", out=float32";
    const Answer dense = answer_of(ours, parse_case(call + "[5,200], values=random, seed=3)"));
    const Answer strided =
        answer_of(ours, parse_case(call + "[5,200]:strides(900,3), values=random, seed=3)"));
    ASSERT_EQ(dense.tag, Answer::Tag::kTensor) << other;
    EXPECT_EQ(strided.bytes, dense.bytes) << other;
  }
}

TEST(ImplSubject, DivisionByZeroIsRefusedInRowsOfAnyKind) {
  ImplSubject ours;
  for (const char* line : {"remainder.Tensor(int32[200], int32[]{0})",
                           "remainder.Tensor(int32[200]:strides(2), int32[]{0})",
                           "remainder.Tensor(int32[3,200], int32[3,1]{1,1,0})"}) {
    const Answer answer = answer_of(ours, parse_case(line));
    ASSERT_EQ(answer.tag, Answer::Tag::kRefusal) << line;
    EXPECT_EQ(answer.rejection, RejectionCode::kZeroDivision) << line;
  }
}

TEST(ImplSubject, ThreadsGiveTheSameBits) {
  ImplSubject one;
  ImplSubject four = cpu({.threads = 4});
  for (const char* line :
       {"add.Tensor(float32[400000], int32[400000], values=random, seed=1)",
        "exp(float16[400001], values=random, seed=2)",
        "mul.Tensor(float32[500,800]:permuted, float64[800], values=random, seed=3)",
        "add_.Tensor(float32[3,150000], float32[150000], values=random, seed=4)",
        "lt.Tensor(float32[200000,3], float32[3], values=random, seed=5)",
        "where.self(bool[700,700], int8[700], float32[700,1], values=random, seed=6)",
        "frexp.Tensor(float64[300000], values=random, seed=7)",
        // each thread begins and ends within a row: such parts of rows go through tiles, whole rows
        // do not
        "add.out(float32[3001,101], float32[], out=float32[3001,101]:strides(400,3), "
        "values=random, seed=8)",
        "sub.Tensor(int32[3001,101], int32[3001,1], values=random, seed=9)"})
    expect_same(parse_case(line), one, four);
}

TEST(ImplSubject, AThreadsDivisionByZeroIsRefused) {
  ImplSubject four = cpu({.threads = 4});
  EXPECT_EQ(answer_of(four, parse_case("remainder.Tensor(int32[400000], int32[])")).tag,
            Answer::Tag::kTensor);
  const Answer answer = answer_of(four, parse_case("remainder.Tensor(int32[400000], int32[]{0})"));
  ASSERT_EQ(answer.tag, Answer::Tag::kRefusal);
  EXPECT_EQ(answer.rejection, RejectionCode::kZeroDivision);
}

TEST(ImplSubject, BothOutputsOfFrexpAreWrittenWhereTheyAre) {
  ImplSubject ours;
  const Answer answer =
      answer_of(ours, parse_case("frexp.Tensor_out(float32[3]{8,-0.75,0}, "
                                 "out=float32[3]:strides(2), second_out=int32[3]:strides(3))"));
  EXPECT_EQ(to_text(answer), "float32[3]{0.5,-0.75,0}");
  EXPECT_EQ(answer.strides, Dims({2}));
  ASSERT_EQ(answer.further.size(), 1U);
  EXPECT_EQ(to_text(answer.further[0]), "int32[3]{4,0,0}");
  EXPECT_EQ(answer.further[0].strides, Dims({3}));
}

struct Entering {
  const char* line;
  const char* computed;  // the answer if numbers enter in the compute dtype
  const char* rounded;   // the answer if numbers are first rounded to the common dtype
};
/// Cases with 1e5, which is infinite in float16, and with 1e-8, which is 0 in float16.
constexpr Entering kEntering[] = {
    {"mul.Tensor(float16[1]{0.5}, 100000.0)", "float16[1]{49984}", "float16[1]{inf}"},
    {"mul.Tensor(100000.0, float16[1]{0.5})", "float16[1]{49984}", "float16[1]{inf}"},
    {"mul.Tensor(float32[]{100000}, float16[1]{0.5})", "float16[1]{49984}", "float16[1]{inf}"},
    {"mul.Tensor(float16[1]{0.5}, int64[]{100000})", "float16[1]{49984}", "float16[1]{inf}"},
    {"add.Tensor(float16[1]{-40000}, 100000.0)", "float16[1]{60000}", "float16[1]{inf}"},
    {"rsub.Scalar(float16[1]{40000}, 100000.0)", "float16[1]{60000}", "float16[1]{inf}"},
    {"div.Tensor(1e-8, bfloat16[1]{1e-8})", "bfloat16[1]{1}", "bfloat16[1]{1}"},
    {"div.Tensor(1e-8, float16[1]{6e-8})", "float16[1]{0.1677}", "float16[1]{0}"},
    {"logit(float16[1]{0}, eps=1e-08)", "float16[1]{-18.42}", "float16[1]{-18.42}"},
    {"isclose(float16[1]{1}, float16[1]{0}, rtol=1000000.0, atol=2.0)", "bool[1]{True}",
     "bool[1]{False}"},
    {"ldexp.Tensor(float16[1]{inf}, float32[]{-25})", "float16[1]{inf}", "float16[1]{nan}"},
    {"poisson_nll_loss(int64[]{-1000000}, float16[1]{0}, log_input=True, full=False, eps=1e-08, "
     "reduction=0)",
     "float16[1]{0}", "float16[1]{nan}"},
    // in the following cases both answers agree: a tensor decides the dtype, or the loop computes
    // nothing
    {"mul.Tensor(float16[1]{0.5}, int64[1]{100000})", "float16[1]{inf}", "float16[1]{inf}"},
    {"mul.Tensor(float16[]{0.5}, int64[]{100000})", "float16[]{inf}", "float16[]{inf}"},
    {"eq.Tensor(float16[1]{inf}, 100000.0)", "bool[1]{True}", "bool[1]{True}"},
    {"nextafter(float16[1]{1}, 1.00001)", "float16[1]{1}", "float16[1]{1}"},
    {"where.ScalarOther(bool[1]{False}, float16[1]{1}, 2049.0000001)", "float16[1]{2050}",
     "float16[1]{2050}"},
    {"hardshrink(float16[1]{0.09997559}, lambd=0.1)", "float16[1]{0}", "float16[1]{0}"},
};

void expect_answer(Subject& subject, const std::string& line, const std::string& wanted) {
  const Case c = parse_case(line + " -> " + wanted);
  Answer answer;
  subject.answer(c, answer);
  EXPECT_FALSE(judge_expectation(c, answer)) << line << " is " << to_text(answer);
}

TEST(ImplSubject, ANumberEntersInTheComputeDType) {
  ImplSubject cpu;
  const auto rounding = make_cpu_subject(parse_side("impl:cpu?numbers=rounded"));
  const auto emulated = make_emulated_subject(parse_side("impl:emulated"));
  for (const Entering& row : kEntering) {
    expect_answer(cpu, row.line, row.computed);
    expect_answer(*emulated, row.line, row.computed);
    expect_answer(*rounding, row.line, row.rounded);
  }
}

TEST(ImplSubject, ANumberIsAKernelArgumentInTheComputeDType) {
  const auto gpu = make_emulated_subject(parse_side("impl:emulated?device=cuda"));
  expect_answer(*gpu, "mul.Tensor(float16[1]{0.5}, 100000.0) @device=cuda", "float16[1]{49984}");
  expect_answer(*gpu,
                "mul.Tensor(float32[]:device(cpu){100000}, float16[3]{0.5,0.5,0.5}) @device=cuda",
                "float16[3]{49984,49984,49984}");
  // a zero-dim operand in the memory of the GPU enters as a number does
  expect_answer(*gpu, "mul.Tensor(float32[]{100000}, float16[1]{0.5}) @device=cuda",
                "float16[1]{49984}");
}

TEST(ImplSubject, AGeneratedOutIsNotCastTo) {
  ImplSubject ours;
  EXPECT_EQ(answer_of(ours, parse_case("add.Scalar_out(float32[3], 1, out=int64[3])")).rejection,
            RejectionCode::kDTypeMismatch);
  EXPECT_EQ(answer_of(ours, parse_case("add.out(float32[3], float32[3], out=int64[3])")).rejection,
            RejectionCode::kResultCast);
}

TEST(ImplSubject, ResultsThatDoNotLieInMemoryAsTheOperandDoes) {
  ImplSubject ours;
  const auto strides_of = [&ours](std::string_view line) {
    return answer_of(ours, parse_case(line)).strides;
  };
  EXPECT_EQ(strides_of("angle(complex64[2,3]:permuted)"), Dims({3, 1}));
  EXPECT_EQ(strides_of("angle(float32[2,3]:permuted)"), Dims({1, 2}));
  EXPECT_EQ(strides_of("abs(complex64[2,3]:permuted)"), Dims({1, 2}));
  EXPECT_EQ(strides_of("abs.out(complex64[2,3]:permuted, out=float32[0])"), Dims({3, 1}));
  EXPECT_EQ(strides_of("clone(int8[2,3]:permuted)"), Dims({1, 2}));
  EXPECT_EQ(strides_of(R"(clone(int8[2,3]:permuted, memory_format="contiguous_format"))"),
            Dims({3, 1}));
  EXPECT_EQ(strides_of(R"(clone(int8[2,3,4,5], memory_format="channels_last"))"),
            Dims({60, 1, 15, 3}));
}

TEST(ImplSubject, AnswersTheTruthOfEveryKnownDifference) {
  const auto entries = load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml");
  ASSERT_FALSE(entries.empty());
  ImplSubject ours;
  Answer answer;
  for (const KnownDifference& entry : entries) {
    const Case c = parse_case(entry.case_line + " -> " + entry.truth);
    ours.answer(c, answer);
    if (const auto unmet = judge_expectation(c, answer))
      ADD_FAILURE() << entry.id << ": " << sentence(*unmet);
  }
}

/// Whether a side on a GPU refuses because an operand lies on another device. The CPU would answer
/// such a call.
bool refuses_devices(const Answer& answer) {
  return answer.tag == Answer::Tag::kRefusal &&
         (answer.rejection == RejectionCode::kDeviceMismatch ||
          answer.rejection == RejectionCode::kHostOperand);
}

bool names_the_cpu(const Case& c) {
  const auto is_there = [](const Operand& operand) {
    return operand.device == Device::kCpu || operand.tag == Operand::Tag::kNumber;
  };
  return is_there(c.out) || std::any_of(c.arguments.begin(), c.arguments.end(), is_there);
}

TEST(ImplSubject, WhereOperandsLieDoesNotChangeTheirValues) {
  const Plan plan = make_grid("devices");
  const auto gpu = make_emulated_subject(parse_side("impl:emulated?device=cuda"));
  ImplSubject ours;
  constexpr std::int64_t kEvery = 7;
  std::int64_t agreed = 0, refused = 0, values = 0;
  Answer first, second;
  for (std::int64_t index = 0; index < plan.planned; index += kEvery) {
    const GridRow& row = plan.row_of(index);
    Case c = row.prototype;
    row.decode(index - row.first, c);
    gpu->answer(c, first);
    ours.answer(c, second);
    if (refuses_devices(first)) {
      ASSERT_TRUE(names_the_cpu(c)) << print_case(c);
      ++refused;
      continue;
    }
    if (second.rejection == RejectionCode::kZeroDivision) continue;
    const Verdict verdict = judge(c, first, second, kNoTolerance);
    ASSERT_EQ(verdict.code, VerdictCode::kAgree) << print_case(c) << ": " << sentence(verdict);
    ASSERT_EQ(verdict.max_ulp, 0) << print_case(c);
    ++agreed;
    values += verdict.values_judged;
  }
  EXPECT_GT(agreed, 5000);
  EXPECT_GT(refused, 5000);
  EXPECT_GT(values, 10000);
}

TEST(ImplSubject, CopiesCrossDevices) {
  const auto gpu = make_emulated_subject(parse_side("impl:emulated?device=cuda"));
  for (const auto& [line, expected] : std::vector<std::pair<std::string, std::string>>{
           {"copy_(int32[3], int32[3]:device(cpu){1,2,3})", "int32[3]{1,2,3}"},
           {"copy_(int32[3]:device(cpu), int32[3]{1,2,3})", "int32[3]{1,2,3}"},
           {"copy_(float16[2,3]:strides(1,2), int64[3]:device(cpu){1,2,3})",
            "float16[2,3]{1,2,3,1,2,3}"},
           {"copy_(int32[2,2]:strides(1,3)+offset(2)+device(cpu), float32[2,1]{1.5,-2.5})",
            "int32[2,2]{1,1,-2,-2}"},
           {"copy_(bool[2], float64[]:device(cpu){nan})", "bool[2]{True,True}"},
           {"copy_(int32[0], int32[0]:device(cpu))", "int32[0]{}"},
           {"copy_(int32[2]:device(cpu), int32[2]:device(cpu){4,5})", "int32[2]{4,5}"}})
    EXPECT_EQ(to_text(answer_of(*gpu, parse_case(line))), expected) << line;
  EXPECT_EQ(answer_of(*gpu, parse_case("copy_(int32[2]:device(cpu), int32[3]{1,2,3})")).rejection,
            RejectionCode::kShapeMismatch);
}

TEST(ImplSubject, AGpuHasRulesOfItsOwn) {
  const auto gpu = make_emulated_subject(parse_side("impl:emulated?device=cuda"));
  const auto asked = [&gpu](std::string_view line) {
    const Answer answer = answer_of(*gpu, parse_case(line));
    return answer.tag == Answer::Tag::kRefusal
               ? "refuses(" + std::string(name(answer.rejection)) + ")"
               : to_text(answer);
  };
  // Some operands of a kernel may be a number on the CPU, others may not.
  EXPECT_EQ(asked("add(int32[2]{1,2}, int32[]:device(cpu){5})"), "int32[2]{6,7}");
  EXPECT_EQ(asked("add(int32[2], int32[1]:device(cpu))"), "refuses(device_mismatch)");
  EXPECT_EQ(asked("add.out(int32[2], 1, out=int32[2]:device(cpu))"), "refuses(device_mismatch)");
  EXPECT_EQ(asked("gcd(int32[2], int32[]:device(cpu))"), "refuses(host_operand)");
  EXPECT_EQ(asked("gcd(int32[2]{4,6}, int32[]{2})"), "int32[2]{2,2}");
  EXPECT_EQ(asked("equal(int32[2], int32[3]:device(cpu))"), "refuses(host_operand)");
  EXPECT_EQ(asked("addcmul(int32[1]{1}, int32[1]{2}, int32[]:device(cpu){3})"), "int32[1]{7}");
  EXPECT_EQ(asked("addcmul(int32[1], int32[]:device(cpu), int32[1])"), "refuses(host_operand)");
  EXPECT_EQ(
      asked("where.self(bool[2]{True,False}, int32[]:device(cpu){1}, int32[]:device(cpu){2})"),
      "int32[2]{1,2}");
  // If all operands lie on the CPU, the CPU's rules hold.
  EXPECT_EQ(asked("gcd(int32[2]:device(cpu){4,6}, int32[]:device(cpu){2})"), "int32[2]{2,2}");
  EXPECT_EQ(asked("fmod.Tensor(int32[1]:device(cpu){7}, int32[1]:device(cpu){0})"),
            "refuses(zero_division)");
  EXPECT_NE(asked("fmod.Tensor(int32[1]{7}, int32[1]{0})"), "refuses(zero_division)");
}

TEST(ImplSubject, SettingsAreReadFromItsName) {
  EXPECT_EQ(
      make_subject("impl:cpu?capability=baseline&threads=3")->versions().at("impl.capability"),
      "baseline");
  EXPECT_EQ(make_subject("impl:cpu")->versions().at("impl").find("cpu"), std::string::npos)
      << "the version of ours is a number";
  for (const char* wrong : {"impl:cpu?capability=avx9", "impl:cpu?threads=0", "impl:cpu?threads=x",
                            "impl:cpu?threads=", "impl:cpu?numbers=exact"})
    EXPECT_THROW(make_subject(wrong), UsageError) << wrong;
}

}  // namespace
}  // namespace upcast
