// Tests of Python's expressions as cases: grammar, operators, tensors that functions make, faults.
#include <gtest/gtest.h>

#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/python/creation.h"
#include "cases/python/question.h"
#include "cases/testing/usage_error.h"

namespace upcast {
namespace {

/// A stand-in that answers every call inside a question with int8[2]{1,2}.
Operand always(const Case&) {
  Operand operand = tensor(DType::kInt8, {2});
  operand.values = {std::byte{1}, std::byte{2}};
  return operand;
}

Question asked(const std::string& text) { return read_question(text, always); }
std::string line_of(const std::string& text) {
  try {
    return print_case(asked(text).c);
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// The case line of an expression in which a = int8[2], b = int16[2], n = 2.
std::string line_with_names(const std::string& text) {
  return line_of(text + " with a=int8[2], b=int16[2], n=2");
}

struct Row {
  const char *text, *line;
};

// Checked against PyTorch 2.15.0: the calls that torch.utils._python_dispatch.TorchDispatchMode
// logs. There, __and__, __or__ and __xor__ are compositions, which call bitwise_and, bitwise_or and
// bitwise_xor.
TEST(PythonOperators, CallWhatPyTorchCalls) {
  constexpr Row kRows[] = {
      {"a + b", "add.Tensor(int8[2], int16[2])"},
      {"a + n", "add.Tensor(int8[2], 2)"},
      {"n + a", "add.Tensor(int8[2], 2)"},
      {"a += b", "add_.Tensor(int8[2], int16[2])"},
      {"a - b", "sub.Tensor(int8[2], int16[2])"},
      {"a - n", "sub.Tensor(int8[2], 2)"},
      {"n - a", "rsub.Scalar(int8[2], 2)"},
      {"a -= n", "sub_.Tensor(int8[2], 2)"},
      {"n * a", "mul.Tensor(int8[2], 2)"},
      {"a *= n", "mul_.Tensor(int8[2], 2)"},
      {"a / b", "div.Tensor(int8[2], int16[2])"},
      {"n / a", "mul.Tensor(int8[2]{1,2}, 2)"},  // of a.reciprocal()
      {"a /= n", "div_.Tensor(int8[2], 2)"},
      {"a // n", "floor_divide(int8[2], 2)"},
      {"n // a", "floor_divide(2, int8[2])"},
      {"a //= b", "floor_divide_.Tensor(int8[2], int16[2])"},
      {"a % b", "remainder.Tensor(int8[2], int16[2])"},
      {"a % n", "remainder.Scalar(int8[2], 2)"},
      {"n % a", "remainder.Scalar_Tensor(2, int8[2])"},
      {"a %= n", "remainder_.Scalar(int8[2], 2)"},
      {"a ** b", "pow.Tensor_Tensor(int8[2], int16[2])"},
      {"a ** n", "pow.Tensor_Scalar(int8[2], 2)"},
      {"n ** a", "pow.Scalar(2, int8[2])"},
      {"a **= n", "pow_.Scalar(int8[2], 2)"},
      {"a & b", "__and__.Tensor(int8[2], int16[2])"},
      {"n & a", "bitwise_and.Scalar(int8[2], 2)"},
      {"a &= n", "__iand__.Scalar(int8[2], 2)"},
      {"n | a", "bitwise_or.Scalar(int8[2], 2)"},
      {"a |= b", "__ior__.Tensor(int8[2], int16[2])"},
      {"n ^ a", "bitwise_xor.Scalar(int8[2], 2)"},
      {"a ^= b", "__ixor__.Tensor(int8[2], int16[2])"},
      {"a << n", "__lshift__.Scalar(int8[2], 2)"},
      {"n << a", "bitwise_left_shift.Scalar_Tensor(2, int8[2])"},
      {"a <<= b", "__ilshift__.Tensor(int8[2], int16[2])"},
      {"n >> a", "bitwise_right_shift.Scalar_Tensor(2, int8[2])"},
      {"a >>= n", "__irshift__.Scalar(int8[2], 2)"},
      {"a == b", "eq.Tensor(int8[2], int16[2])"},
      {"n == a", "eq.Scalar(int8[2], 2)"},
      {"a != n", "ne.Scalar(int8[2], 2)"},
      {"n < a", "gt.Scalar(int8[2], 2)"},
      {"n <= a", "ge.Scalar(int8[2], 2)"},
      {"n > a", "lt.Scalar(int8[2], 2)"},
      {"n >= a", "le.Scalar(int8[2], 2)"},
      {"-a", "neg(int8[2])"},
      {"+a", "positive(int8[2])"},
      {"~a", "bitwise_not(int8[2])"},
      {"abs(a)", "abs(int8[2])"},
      {"n += a", "add.Tensor(int8[2], 2)"},  // n is a number: n = n + a
  };
  for (const Row& row : kRows) EXPECT_EQ(line_with_names(row.text), row.line) << row.text;
}

TEST(PythonOperators, BindAsPythonSays) {
  constexpr Row kRows[] = {
      // the outermost operator of each becomes the case; calls inside it give int8[2]{1,2}
      {"b + a * n", "add.Tensor(int16[2], int8[2]{1,2})"},
      {"(b + a) * n", "mul.Tensor(int8[2]{1,2}, 2)"},
      {"b - a - n", "sub.Tensor(int8[2]{1,2}, 2)"},
      {"b | a & n", "__or__.Tensor(int16[2], int8[2]{1,2})"},
      {"b << a + n", "__lshift__.Tensor(int16[2], int8[2]{1,2})"},
      {"b == a | n", "eq.Tensor(int16[2], int8[2]{1,2})"},
      {"-a ** n", "neg(int8[2]{1,2})"},
      {"b ** -a", "pow.Tensor_Tensor(int16[2], int8[2]{1,2})"},
      {"b ** a ** n", "pow.Tensor_Tensor(int16[2], int8[2]{1,2})"},
      {"-a.add(n)", "neg(int8[2]{1,2})"},
      {"b * -2 ** 2", "mul.Tensor(int16[2], -4)"},
      {"b * (2 * 3 + 1j)", "mul.Tensor(int16[2], 6+1j)"},
      {"b * 7 // 2", "floor_divide(int8[2]{1,2}, 2)"},
  };
  for (const Row& row : kRows) EXPECT_EQ(line_with_names(row.text), row.line) << row.text;
}

TEST(PythonNumbers, AreThoseOfPython) {
  constexpr Row kNumbers[] = {
      {"1_000", "1000"},
      {"0x10", "16"},
      {".5", "0.5"},
      {"1e-3", "0.001"},
      {"2J - 1", "-1+2j"},
      {"-7 // 2", "-4"},
      {"-7 % 3", "2"},
      {"7 / 2", "3.5"},
      {"2 ** 63 - 1", "9223372036854775807"},
      {"-2 ** 63", "-9223372036854775808"},
      {"2 ** -1", "0.5"},
      {"~5", "-6"},
      {"True + 1", "2"},
      {"5 & 3 | 8 ^ 1 << 2", "13"},
      {"float('inf')", "inf"},
      {"-math.inf", "-inf"},
      {"torch.nan", "nan"},
  };
  for (const Row& row : kNumbers)
    EXPECT_EQ(line_of("float32[2] * (" + std::string(row.text) + ")"),
              "mul.Tensor(float32[2], " + std::string(row.line) + ")");
  for (const char* none :
       {"2 ** 64", "1 // 0", "1.0 % 0", "1 << 64", "18446744073709551615 * 18446744073709551615",
        "18446744073709551615 << 63", "2 ** 1000000000000"})
    EXPECT_NE(line_of("float32[2] * (" + std::string(none) + ")").find("64 bits"),
              std::string::npos)
        << none;
}

TEST(PythonTensors, AreThoseThatFunctionsMake) {
  constexpr Row kTensors[] = {
      {"torch.tensor(5)", "int64[]{5}"},
      {"torch.tensor(5.)", "float32[]{5}"},
      {"torch.tensor([True, 2])", "int64[2]{1,2}"},
      {"torch.tensor([[1, 2.5], [3, 4]])", "float32[2,2]{1,2.5,3,4}"},
      {"torch.tensor(1j)", "complex64[]{0+1j}"},
      {"torch.tensor([1.5, -1.5], dtype=torch.int8)", "int8[2]{1,-1}"},
      {"torch.tensor([0, 2], dtype=torch.bool)", "bool[2]{False,True}"},
      {"torch.as_tensor((1, 2), dtype=float)", "float64[2]{1,2}"},
      {"torch.zeros(2, 3)", "float32[2,3]{0,0,0,0,0,0}"},
      {"torch.zeros((2,), dtype=int)", "int64[2]{0,0}"},
      {"torch.ones(size=[2], dtype=torch.half)", "float16[2]{1,1}"},
      {"torch.ones([])", "float32[]{1}"},
      {"torch.full((2,), True)", "bool[2]{True,True}"},
      {"torch.full([1], 2.5, dtype=torch.float64)", "float64[1]{2.5}"},
      {"torch.arange(3)", "int64[3]{0,1,2}"},
      {"torch.arange(1, 4, 1.5)", "float32[2]{1,2.5}"},
      {"torch.empty(4, 2, requires_grad=True)", "float32[4,2]"},
      {"torch.randint(10, (3,))", "int64[3]"},
      {"torch.randint(0, 10, (3,), dtype=torch.uint8)", "uint8[3]"},
      {"torch.zeros(1000)", "float32[1000]"},
      {"torch.zeros_like(int8[2])", "int8[2]{0,0}"},
      {"torch.full_like(int8[2], 7, dtype=torch.float)", "float32[2]{7,7}"},
      {"torch.rand(3).detach()", "float32[3]"},
  };
  for (const Row& row : kTensors)
    EXPECT_EQ(line_of("torch.exp(" + std::string(row.text) + ")"),
              "exp(" + std::string(row.line) + ")");
  EXPECT_EQ(line_of("torch.exp(torch.ones(1)) @default=float64"),
            "exp(float64[1]{1}) @default=float64");
  EXPECT_EQ(line_of("torch.exp(torch.empty(1, device='cuda:0'))"), "exp(float32[1]:device(cuda))");
  for (const std::string_view name : python::creation_names())
    EXPECT_EQ(line_of("torch." + std::string(name) + "()").find("unknown op"), std::string::npos)
        << name;
}

TEST(PythonNames, OneVariableIsOneStorage) {
  EXPECT_EQ(line_of("x.add_(x) with x=float32[1]{2}"),
            "add_.Tensor(float32[1]{2}, float32[1]:shares(0))");
  EXPECT_EQ(line_of("y = x; torch.mul(x, 2, out=y) with x=float32[1]{2}"),
            "mul.out(float32[1]{2}, 2, out=float32[1]:shares(0))");
  EXPECT_EQ(line_of("a + b with a=int8[1], b=int8[1]"), "add.Tensor(int8[1], int8[1])");
  // a tensor that is read twice has the same values in each place
  EXPECT_EQ(line_of("torch.lerp(input=x, end=x, weight=0.5) with x=float32[1]"),
            "lerp.Scalar(float32[1]{0.33333334}, float32[1]{0.33333334}, 0.5)");
  EXPECT_EQ(line_of("x = int8[2]; x += 1; x * 3"), "mul.Tensor(int8[2]{1,2}, 3)");
}

TEST(PythonNames, ADTypeStandsForATensorWhereOneIsWanted) {
  EXPECT_EQ(line_of("add(int32, 5.5)"), "add.Tensor(int32[3], 5.5)");
  EXPECT_EQ(line_of("add(int32[2,2], torch.half)"), "add.Tensor(int32[2,2], float16[2,2])");
  EXPECT_EQ(asked("add(int32, 5.5)").notes,
            (std::vector<std::string>{"int32 stands for a tensor, int32[3]"}));
  EXPECT_TRUE(asked("promote_types(int32, torch.half)").notes.empty());
}

TEST(PythonQuestion, ALineOfTheNotationKeepsItsMeaning) {
  for (const char* line :
       {"add.Tensor(int32[3], 5.5)", "mul.Tensor(float32[2]:strides(0), 2) @device=cuda -> refuses",
        "div.Tensor_mode(int64[2], 2, rounding_mode=\"floor\")", "promote_types(int8, undefined)",
        "add.out(int8[2], 1, values=special, seed=7, out=int8[2])"}) {
    const Question question = asked(line);
    EXPECT_EQ(question.c, parse_case(line));
    EXPECT_TRUE(question.notes.empty());
  }
  // an expression may stand in an argument, next to case notation
  EXPECT_EQ(line_of("torch.mul(float16[2]:strides(2){1,2}, 3 ** 2, values=special, seed=7) -> f16"),
            "mul.Tensor(float16[2]:strides(2){1,2}, 9, values=special, seed=7) -> float16");
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(PythonQuestion, IsRefusedWhereItIsTooLongOrTooDeep) {
  const auto fault = [](const std::string& text) { return line_of("exp(int8[1] * " + text + ")"); };
  EXPECT_EQ(fault(repeated("(", 20) + "1" + repeated(")", 20)), "exp(int8[2]{1,2})");
  for (const std::string& text :
       {repeated("(", 100'000), repeated("-", 100'000) + "1", "1" + repeated("+1", 100'000),
        "x" + repeated(".x", 100'000), "f" + repeated("()", 100'000), repeated("[", 100'000),
        "1" + repeated("**1", 100'000)})
    EXPECT_NE(fault(text).find("more than 100"), std::string::npos) << fault(text);
}

TEST(PythonQuestion, AFaultHasItsColumn) {
  constexpr Row kFaults[] = {
      {"", "column 1: expected a tensor, a number, a name or a call"},
      {"1 +* 2", "column 4: expected a tensor"},
      {"add(*x)", "column 5: starred arguments are not supported"},
      {"add(int8[1], 'x)", "column 14: this text has no closing '"},
      {"add(int8[1], 1z)", "column 14: '1z' is not a number"},
      {"exp(int8[1]).item", "column 14: attribute 'item' is not read"},
      {"exp({int8,int16}[2])", "column 5: a set of dtypes"},
      {"exp(torch.ones(2.5))", "column 16: a size is a whole number"},
      {"exp(torch.ones(-1))", "column 11: "},
      {"exp(torch.tensor([[1, 2], [3]]))", "column 18: the lists differ in length"},
      {"exp(torch.tensor(1j, dtype=torch.int8))", "column 11: a complex number"},
      {"a + 1 with int8[1]", "column 12: 'with' gives names"},
      {"exp(int8[1]); exp(int8[1])", "column 1: only assignments may come before"},
      {"a.b = 1; exp(int8[1])", "column 3: only a name can be given a value"},
      {"exp(int8[1]) -> flot32", "column 17: unknown dtype 'flot32'"},
      {"exp(int8[1]) @devise=cpu", "column 15: unknown setting '@devise'"},
      {"a @= b with a=int8[1], b=int8[1]", "column 3: '@=' calls no elementwise op"},
  };
  for (const Row& row : kFaults) {
    const std::string message = line_of(row.text);
    EXPECT_EQ(message.substr(0, std::string(row.line).size()), row.line) << row.text << message;
    EXPECT_EQ(message.find('\n'), message.npos);
  }
  const auto refuses = [](const Case&) -> Operand { throw UsageError("refuses(result_cast)"); };
  const std::string inside =
      usage_error_of([&] { read_question("2 * (float32[1] + 1)", refuses); });
  EXPECT_EQ(inside, "column 17: add.Tensor(float32[1], 1) refuses(result_cast)");
}

}  // namespace
}  // namespace upcast
