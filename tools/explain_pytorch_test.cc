// Tests `upcast explain` with questions as users of PyTorch write them: it answers, or says what to
// write. The expected answers are those of PyTorch 2.15.0, compared on 2026-11-23.
#include <gtest/gtest.h>

#include <set>

#include "cases/notation.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

struct Answered {
  const char* question;
  const char* line;    // the case that the question becomes
  const char* answer;  // how impl:cpu's answer begins
};

constexpr Answered kAnswered[] = {
    {"torch.add(torch.ones(3, dtype=torch.int32), 5.5)", "add.Tensor(int32[3]{1,1,1}, 5.5)",
     "float32[3]{6.5,6.5,6.5}"},
    {"x.add_(y) with x=torch.tensor([1.5, 2.5]), y=torch.tensor(2)",
     "add_.Tensor(float32[2]{1.5,2.5}, int64[]{2})", "float32[2]{3.5,4.5}"},
    {"x.add_(y) with x=torch.ones(3, dtype=torch.int32), y=2.5",
     "add_.Tensor(int32[3]{1,1,1}, 2.5)", "refuses(result_cast"},
    {"a + b with a=int32[3], b=5.5", "add.Tensor(int32[3], 5.5)", "float32[3]"},
    {"int32[3] + 5.5", "add.Tensor(int32[3], 5.5)", "float32[3]"},
    {"add(int32, float32)", "add.Tensor(int32[3], float32[3])", "float32[3]"},
    {"torch.uint8 * torch.int8", "mul.Tensor(uint8[3], int8[3])", "int16[3]"},
    {"F.relu(int32[3])", "relu(int32[3])", "int32[3]"},
    {"F.relu(torch.tensor([True]))", "relu(bool[1]{True})", "refuses(unsupported_dtype"},
    {"F.relu(torch.tensor([-1.0, 2]), inplace=True)", "relu_(float32[2]{-1,2})", "float32[2]{0,2}"},
    {"torch.div(torch.tensor([7, -7]), 2, rounding_mode='floor')",
     "div.Tensor_mode(int64[2]{7,-7}, 2, rounding_mode=\"floor\")", "int64[2]{3,-4}"},
    {"torch.result_type(torch.tensor([1, 2], dtype=torch.int), 1.0)",
     "result_type.Scalar(int32[2]{1,2}, 1.0)", "dtype float32"},
    {"torch.promote_types(torch.int32, torch.float16)", "promote_types(int32, float16)",
     "dtype float16"},
    {"torch.promote_types(x.dtype, torch.long) with x=torch.zeros(2, dtype=torch.uint8)",
     "promote_types(uint8, int64)", "dtype int64"},
    {"torch.can_cast(torch.double, torch.int)", "can_cast(float64, int32)", "bool[]{False}"},
    {"torch.tensor([1, 2, 3]) > 2.5", "gt.Scalar(int64[3]{1,2,3}, 2.5)",
     "bool[3]{False,False,True}"},
    {"2 <= torch.arange(4)", "ge.Scalar(int64[4]{0,1,2,3}, 2)", "bool[4]{False,False,True,True}"},
    {"torch.tensor([5, 6]) & 3", "__and__.Scalar(int64[2]{5,6}, 3)", "int64[2]{1,2}"},
    {"torch.ones(2) & torch.ones(2)", "__and__.Tensor(float32[2]{1,1}, float32[2]{1,1})",
     "refuses(unsupported_dtype"},
    {"~torch.tensor([True, False])", "bitwise_not(bool[2]{True,False})", "bool[2]{False,True}"},
    {"torch.zeros(2, 3) * torch.tensor(5, dtype=torch.float64)",
     "mul.Tensor(float32[2,3]{0,0,0,0,0,0}, float64[]{5})", "float32[2,3]"},
    {"5 / torch.tensor([1, 2, 4])", "mul.Tensor(float32[3]{1,0.5,0.25}, 5)",
     "float32[3]{5,2.5,1.25}"},
    {"5 - torch.ones(2, dtype=torch.half)", "rsub.Scalar(float16[2]{1,1}, 5)", "float16[2]{4,4}"},
    {"2 ** torch.tensor([1, 2, 3])", "pow.Scalar(2, int64[3]{1,2,3})", "int64[3]{2,4,8}"},
    {"torch.tensor([2, 3]) ** -1", "pow.Tensor_Scalar(int64[2]{2,3}, -1)", "refuses("},
    {"7 // torch.tensor([2, -2])", "floor_divide(7, int64[2]{2,-2})", "int64[2]{3,-4}"},
    {"a //= 2 with a=torch.tensor([7.0])", "floor_divide_.Tensor(float32[1]{7}, 2)",
     "float32[1]{3}"},
    {"torch.nn.functional.gelu(x, approximate='tanh') with x=torch.zeros(2, dtype=torch.bfloat16)",
     "gelu(bfloat16[2]{0,0}, approximate=\"tanh\")", "bfloat16[2]{0,0}"},
    {"torch.special.erf(torch.tensor([0, 0]))", "special_erf(int64[2]{0,0})", "float32[2]{0,0}"},
    {"torch.Tensor.add(torch.ones(1), 1, alpha=2)", "add.Tensor(float32[1]{1}, 1, alpha=2)",
     "float32[1]{3}"},
    {"torch.where(x > 0, x, 0.5) with x=torch.tensor([-1, 1])",
     "where.ScalarOther(bool[2]{False,True}, int64[2]{-1,1}, 0.5)", "float32[2]{0.5,1}"},
    {"(torch.ones(2, dtype=torch.int8) * 2.5 + 1).dtype", "add.Tensor(float32[2]{2.5,2.5}, 1)",
     "float32[2]{3.5,3.5}"},
    {"torch.add(torch.full((2,), 3), torch.tensor([0.5]), out=torch.empty(2, dtype=torch.int32))",
     "add.out(int64[2]{3,3}, float32[1]{0.5}, out=int32[2])", "refuses(result_cast"},
    {"torch.ones(2, dtype=torch.int16).to(torch.float64) + torch.ones(2)",
     "add.Tensor(float64[2]{1,1}, float32[2]{1,1})", "float64[2]{2,2}"},
    {"x = torch.tensor([1.0, 2.0])  # aliased\ny = x\nx.mul_(y)",
     "mul_.Tensor(float32[2]{1,2}, float32[2]:shares(0))", "float32[2]{1,4}"},
    {"torch.sin(torch.tensor([0])) @default=float64 -> float64",
     "sin(int64[1]{0}) @default=float64 -> float64", "float64[1]{0}  as expected"},
    {"abs(torch.tensor([3 + 4j]))", "abs(complex64[1]{3+4j})", "float32[1]{5}"},
    {"torch.clamp(input=torch.tensor([1, 5]), max=2**31 - 1)",
     "clamp(int64[2]{1,5}, max=2147483647)", "int64[2]{1,5}"},
};

TEST(ExplainPyTorch, AnswersWhatPyTorchDoes) {
  std::set<std::string> questions;
  for (const Answered& row : kAnswered) {
    EXPECT_TRUE(questions.insert(row.question).second) << row.question;
    const Json json = run_upcast({"explain", row.question, "--json", "-"}).json();
    ASSERT_TRUE(json.is_object()) << row.question;
    EXPECT_EQ(json.at("asked"), row.question);
    EXPECT_EQ(json.at("case"), row.line) << row.question;
    const std::string answer = json.at("answers").at("impl:cpu");
    EXPECT_TRUE(answer.starts_with(row.answer)) << row.question << " is " << answer;
    // the case line alone means the same case
    EXPECT_EQ(print_case(parse_case(row.line)), row.line);
  }
  EXPECT_GE(questions.size(), 30U);
}

struct Refused {
  const char* question;
  const char* column;
  const char* hint;
};

constexpr Refused kRefused[] = {
    {"x.add_(y)", "column 1:", "'x' has no value; add: with x=float32[3], y=float32[3]"},
    {"torch.add(torch.ones(3), b)", "column 26:", "with b=float32[3]"},
    {"a @ b with a=float32[2,2], b=float32[2,2]", "column 3:", "'@' is torch.matmul"},
    {"torch.matmul(torch.ones(2), torch.ones(2))", "column 7:", "is not an elementwise op"},
    {"torch.ad(torch.ones(3), 1)", "column 7:", "did you mean torch.add?"},
    {"F.rleu(float32[3])", "column 3:", "did you mean F.relu?"},
    {"torch.special.efr(float32[3])", "column 15:", "did you mean torch.special.erf?"},
    {"torch.onse(3) + 1", "column 7:", "did you mean torch.ones?"},
    {"torch.ones(3).ad_(1)", "column 15:", "did you mean add_?"},
    {"torhc.add(float32[3], 1)", "column 1:", "did you mean torch?"},
    {"torch.ones(3, dtpye=torch.int32) + 1", "column 15:", "did you mean dtype?"},
    {"int23[3] + 1", "column 1:", "unknown dtype 'int23'; did you mean int32?"},
    {"torch.add(int32[3], 5.5, alpah=2)", "column 26:", "did you mean alpha?"},
    {"torch.tensor(5)", "column 1:", "this is int64[]{5}, and calls no op"},
    {"torch.float64", "column 1:", "this is float64, and calls no op"},
    {"torch.relu", "column 1:", "'torch.relu' is a function; call it"},
    {"2 + 3", "column 1:", "this is 5, and calls no op"},
    {"a and b with a=bool[2], b=bool[2]", "column 3:", "torch.logical_and(a, b)"},
    {"not a with a=bool[2]", "column 1:", "torch.logical_not(a)"},
    {"0 < int32[3] < 5", "column 14:", "(a < b) & (b < c)"},
    {"x[0] + 1 with x=int32[3]", "column 2:", "indexing is not supported"},
    {"nn.ReLU()(float32[3])", "column 4:", "as in F.relu(x) for nn.ReLU()(x)"},
    {"np.add(int32[3], 1)", "column 4:", "--rulebook all"},
    {"import torch", "column 1:", "leave the import out"},
    {"torch.add(int32[3], 5.5", "column 24:", "expected ')'"},
    {"torch.add([1, 2], 1)", "column 11:", "write torch.tensor([...])"},
    {"torch.tensor([300], dtype=torch.uint8) + 1", "column 7:", "300"},
    {"~(float32[2] + 1.5) + 1", "column 1:", "refuses(unsupported_dtype"},
    {"torch.mul(x=float32[3])", "column 11:", "has no parameter 'x'"},
    {"5 +", "column 4:", "expected a tensor, a number, a name or a call"},
};

TEST(ExplainPyTorch, SaysWhatToWriteInstead) {
  for (const Refused& row : kRefused)
    EXPECT_TRUE(complains(run_upcast({"explain", row.question}), {row.column, row.hint}))
        << row.question;
}

TEST(ExplainPyTorch, ShowsOperandsWithTheirValuesAndWhatWasAssumed) {
  EXPECT_TRUE(prints(run_upcast({"explain", "a + b with a=int32[3], b=5.5"}), 0,
                     {"\nanswers\n"
                      "  self      int32[3]{7,-5,3}\n"
                      "  other     5.5\n"
                      "  impl:cpu  float32[3]{12.5,0.5,8.5}\n"}));
  EXPECT_TRUE(prints(run_upcast({"explain", "add(int32, float32)"}), 0,
                     {"int32 stands for a tensor, int32[3]\n"}));
  const Json json = run_upcast({"explain", "5 / int32[1]", "--json", "-"}).json();
  EXPECT_EQ(json.at("notes"), (Json{"reciprocal(int32[1]) gives float32[1]{0.14285715}"}));
  EXPECT_EQ(json.at("operands")[1].at("value"), "5");
}

TEST(ExplainPyTorch, RuleBooksAreAskedInTheSameWords) {
  const auto asked = [](const char* line) {
    return run_upcast({"explain", "--rulebook", "all", line});
  };
  const CommandResult of_case = asked("add.Tensor(int32[3], 5.5)");
  EXPECT_TRUE(prints(of_case, 0, {"pytorch"}));
  EXPECT_EQ(asked("a + b with a=int32[3], b=5.5").out, of_case.out);
}

}  // namespace
}  // namespace upcast::tools::testing
