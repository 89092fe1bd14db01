// Tests the text of short programs. The ctest tests findings.short run them, and check that they
// show their differences.
#include "fuzz/findings/short_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cases/element.h"
#include "cases/notation.h"
#include "fuzz/findings/public_call.h"
#include "fuzz/findings/short_claim.h"
#include "fuzz/findings/short_parts.h"
#include "fuzz/findings/short_values.h"
#include "oracle/subject.h"

namespace upcast::fuzz {
namespace {

using internal::Language;
using internal::spelled;

bool holds(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

/// A finding in which LibTorch answers `wrong` for the first element.
Reproducible of_value(std::string_view line, double wrong) {
  Reproducible made{.name = "finding", .c = parse_case(line), .code = VerdictCode::kDifferValue};
  make_subject("impl:cpu")->answer(made.c, made.right.answer);
  made.wrong = made.right;
  const std::vector<std::byte> element = element_of(made.right.answer.dtype, wrong);
  std::copy(element.begin(), element.end(), made.wrong.answer.bytes.begin());
  made.libtorch = "2.15.0";
  made.sets = {.capability = false, .onednn = false};
  return made;
}

Reproducible refused(std::string_view line) {
  Reproducible made = of_value(line, 0);
  made.code = VerdictCode::kDifferRefusal;
  made.wrong.answer = {.tag = Answer::Tag::kRefusal, .detail = "no kernel"};
  return made;
}

long lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(ShortProgram, IsWhatAPersonWouldWrite) {
  Reproducible made = of_value("logit(bfloat16[1]{0.49})", -0.5);
  made.reason = "x / (1 - x) is rounded before its logarithm";
  made.truth = "bfloat16[1]{-0.0391} (correctly rounded)";
  EXPECT_EQ(short_python(made).text,
            "# PyTorch 2.15.0, CPU: x / (1 - x) is rounded before its logarithm\n"
            "import torch\n"
            "\n"
            "x = torch.tensor([0.49], dtype=torch.bfloat16)\n"
            "got = torch.logit(x)\n"
            "expected = -0.0390625  # exactly rounded\n"
            "print(\"got\", got.item(), \"expected\", expected)\n"
            "assert abs(got.item() - expected) <= 3e-04\n");
  const std::string cpp = short_cpp(made).text;
  for (const char* part :
       {"#include <torch/torch.h>\n", "  auto x = torch::tensor({0.49}, torch::kBFloat16);\n",
        "  const auto got = at::logit(x).item<double>();\n",
        "  const auto expected = -0.0390625;  // exactly rounded\n", "g++ -std=c++20 -w short.cc",
        "  return std::abs(got - expected) <= 3e-04 ? 0 : 1;\n"})
    EXPECT_TRUE(holds(cpp, part)) << part << "\n" << cpp;
}

TEST(ShortProgram, OfARefusalRaisesAndSaysWhatIsRight) {
  const Reproducible made = refused("mul.Tensor(float8_e5m2[2]{0.5,-2}, 2.5)");
  const std::string python = short_python(made).text;
  EXPECT_TRUE(holds(python, "# got: no kernel\nprint(torch.mul(x, 2.5))\n")) << python;
  EXPECT_TRUE(holds(python, "# expected: float8_e5m2 [1.25, -5.0]\n")) << python;
  EXPECT_TRUE(holds(short_cpp(made).text, "at::mul(x, at::native::wrapped_scalar_tensor(2.5))"));
}

TEST(ShortProgram, OfAnAnswerThatIsToBeARefusalAssertsTheRefusal) {
  Reproducible made = refused("neg(float32[1]{1})");
  made.code = VerdictCode::kDifferAccepts;
  std::swap(made.right, made.wrong);
  EXPECT_TRUE(
      holds(short_python(made).text, "raise AssertionError(\"expected: the call raises\")"));
  EXPECT_TRUE(
      holds(short_cpp(made).text, "    return 1;\n  } catch (const std::exception& error) {"));
}

TEST(ShortProgram, OfADeathMakesTheCall) {
  Reproducible made = refused("lcm(int32[1]{-2147483648}, int32[1]{3})");
  made.wrong = {.answer = {}, .death = "timeout"};
  made.code = VerdictCode::kTimeout;
  EXPECT_TRUE(holds(short_python(made).text, "signal.alarm(10)\nprint(torch.lcm(x, y))\n"));
  made.wrong.death = "crash(SIGFPE)";
  made.code = VerdictCode::kCrash;
  const std::string python = short_python(made).text;
  EXPECT_TRUE(holds(python, "# got: the process ends, crash(SIGFPE)\nprint(torch.lcm(x, y))\n"));
  EXPECT_FALSE(holds(python, "alarm"));
  EXPECT_TRUE(holds(short_cpp(made).text, "torch::tensor({INT32_MIN}, torch::kInt32)"));
}

TEST(ShortProgram, SetsOnlyWhatShowsIt) {
  Reproducible made = of_value("neg(float32[1]{1})", 1);
  EXPECT_FALSE(holds(short_python(made).text, "environ"));
  EXPECT_FALSE(holds(short_cpp(made).text, "setenv"));
  made.sets = {.capability = true, .onednn = true};
  const std::string python = short_python(made).text;
  const std::size_t set = python.find("os.environ[\"ATEN_CPU_CAPABILITY\"] = \"default\"");
  EXPECT_LT(set, python.find("import torch\n")) << python;
  EXPECT_TRUE(holds(python, "torch.backends.mkldnn.set_flags(False)\n"));
  EXPECT_TRUE(holds(short_cpp(made).text, "setenv(\"ATEN_CPU_CAPABILITY\", \"default\", 1);"));
}

TEST(ShortProgram, SaysWhyThereIsNone) {
  Reproducible made = of_value("neg(float32[1]{1})", 1);
  made.code = VerdictCode::kDifferAlias;
  EXPECT_TRUE(holds(short_python(made).why_not, "alias"));
  EXPECT_EQ(short_cpp(made).text, "");
  made = of_value("neg(float32[65])", 1);
  EXPECT_TRUE(holds(short_cpp(made).why_not, "65 elements"));
  made = of_value("neg(float32[1]{1})", 1);
  made.python = "it is said by hand";
  EXPECT_TRUE(holds(short_python(made).why_not, "it is said by hand"));
  EXPECT_EQ(short_cpp(made).why_not, "");
  made = of_value("rad2deg(2.5)", 1);
  EXPECT_TRUE(holds(short_python(made).why_not, "cannot be passed as a tensor"));
  made.callee.kind = Callee::Kind::kProcess;
  EXPECT_TRUE(holds(short_python(made).why_not, "short programs are for LibTorch only"));
}

/// Expects the line that makes the first operand of a call, in the Python and the C++ program.
void expect_operand(std::string_view line, const std::string& python, const std::string& cpp) {
  const Reproducible made = refused(line);
  const std::string python_text = short_python(made).text, cpp_text = short_cpp(made).text;
  EXPECT_TRUE(holds(python_text, "x = " + python + "\n")) << python_text;
  EXPECT_TRUE(holds(cpp_text, "auto x = " + cpp + ";\n")) << cpp_text;
}

TEST(ShortProgram, WritesOperandsAsAPersonDoes) {
  expect_operand("neg(float32[2]{1,-0.5})", "torch.tensor([1.0, -0.5])",
                 "torch::tensor({1.0, -0.5}, torch::kFloat32)");
  expect_operand("neg(float32[]{0.1})", "torch.tensor(0.1)", "torch::tensor(0.1, torch::kFloat32)");
  expect_operand("neg(int64[2,2]{1,2,3,3000000000})", "torch.tensor([[1, 2], [3, 3000000000]])",
                 "torch::tensor({1L, 2L, 3L, 3000000000L}, torch::kInt64).reshape({2, 2})");
  expect_operand("neg(float16[5]{0.1,0.1,0.1,0.1,0.1})",
                 "torch.full((5,), 0.1, dtype=torch.float16)",
                 "torch::full({5}, 0.1, torch::kFloat16)");
}

TEST(ShortProgram, WritesBitsWhereThereIsNoText) {
  expect_operand("neg(float32[1]{bits:0x7fa00000})",
                 "torch.tensor([0x7fa00000], dtype=torch.uint32).view(torch.float32)",
                 "torch::tensor({int64_t(0x7fa00000)}, torch::kInt64).to(torch::kInt32)"
                 ".view(torch::kFloat32)");
  expect_operand("neg(float64[1]{nan})", "torch.tensor([float(\"nan\")], dtype=torch.float64)",
                 "torch::tensor({double(NAN)}, torch::kFloat64)");
}

TEST(ShortProgram, KeepsLayouts) {
  expect_operand("neg(int64[2,2]:strides(1,2){1,2,3,4})",
                 "torch.tensor([1, 3, 2, 4]).as_strided((2, 2), (1, 2), 0)",
                 "torch::tensor({1, 3, 2, 4}, torch::kInt64).as_strided({2, 2}, {1, 2}, 0)");
  const std::string shared =
      short_python(refused("add.Tensor(int64[2]{1,2}, int64[2]:shares(0))")).text;
  EXPECT_TRUE(holds(shared, "torch.add(x, x)")) << shared;
  const std::string out = short_python(refused("add.out(float32[2], 1, out=float64[2])")).text;
  EXPECT_TRUE(holds(out, "out = torch.empty(2, dtype=torch.float64)\n")) << out;
  EXPECT_TRUE(holds(out, "torch.add(x, 1, out=out)")) << out;
}

TEST(Spelled, GivesTheSameNumberBack) {
  EXPECT_EQ(spelled(Number(-0.0), Language::kPython), "-0.0");
  EXPECT_EQ(spelled(Number(-INFINITY), Language::kPython), "-float(\"inf\")");
  EXPECT_EQ(spelled(Number(-INFINITY), Language::kCpp), "-double(INFINITY)");
  EXPECT_EQ(spelled(Number(Complex<double>{1, -0.0}), Language::kPython), "complex(1.0, -0.0)");
  EXPECT_EQ(spelled(Number(Complex<double>{1, -2}), Language::kPython), "1-2j");
  EXPECT_EQ(spelled(Number(std::int64_t{INT64_MIN}), Language::kCpp), "INT64_MIN");
  EXPECT_EQ(spelled(Number(true), Language::kCpp), "true");
}

TEST(SpelledElements, AreReadBackAsTheseBits) {
  for (std::uint32_t bits : {0x3dcccccdU, 0x00000001U, 0x7f7fffffU, 0x80000000U}) {
    const auto bytes = std::bit_cast<std::array<std::byte, 4>>(bits);
    const auto texts = internal::spelled_elements(DType::kFloat32, bytes, Language::kPython);
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(std::stod(texts[0]))), bits);
  }
  // torch refuses a decimal above the largest number of a dtype, although rounding would give that
  // number.
  const auto largest = std::bit_cast<std::array<std::byte, 4>>(0x7f7fffffU);
  EXPECT_EQ(internal::spelled_elements(DType::kFloat32, largest, Language::kCpp).front(),
            "3.4028234663852886e+38");
  const auto quiet = std::bit_cast<std::array<std::byte, 4>>(0x7fc00001U);
  EXPECT_TRUE(internal::spelled_elements(DType::kFloat32, quiet, Language::kPython).empty());
}

TEST(ValueClaim, TellsTheWrongValue) {
  using Kind = internal::ValueClaim::Test;
  const auto claimed = [](std::string_view line, double wrong) {
    return internal::value_claim(of_value(line, wrong));
  };
  EXPECT_EQ(claimed("neg(float32[1]{0})", 0).test, Kind::kSign);
  EXPECT_EQ(claimed("neg(float32[1]{nan})", 0).test, Kind::kIsNan);
  EXPECT_EQ(claimed("neg(float32[1]{1})", 1).test, Kind::kEqual) << "it is exact";
  EXPECT_EQ(claimed("neg(float32[1]{inf})", 1).test, Kind::kEqual);
  const internal::ValueClaim near = claimed("sin(float64[1]{1})", 0.5);
  EXPECT_EQ(near.test, Kind::kNear);
  EXPECT_GT(near.tolerance, 0);
  EXPECT_LT(near.tolerance, 1e-14);
}

TEST(ValueClaim, NamesItsOrigin) {
  Reproducible made = of_value("neg(float32[1]{1})", 1);
  const auto origin = [&made](const char* witness) {
    made.witness = witness;
    return internal::origin_of(made, false);
  };
  EXPECT_EQ(internal::origin_of(made, true), "exactly rounded");
  EXPECT_EQ(origin(""), "the answer of upcast's reference implementation");
  EXPECT_EQ(origin("majority: numpy, jax; truth"), "the answer of numpy, jax");
  EXPECT_EQ(origin("path: neg(float32[1]{1}) on libtorch:cpu"),
            "LibTorch's answer with ATEN_CPU_CAPABILITY=default");
  EXPECT_EQ(origin("path: neg(int8[1]{1})"),
            "LibTorch contradicts itself; compare with: neg(int8[1]{1})");
  EXPECT_EQ(origin("documentation: https://pytorch.org it negates; if asked"),
            "documentation: https://pytorch.org it negates; if asked");
}

TEST(ValueClaim, OfAComplexElementIsAboutThePartThatDiffers) {
  using Part = internal::ValueClaim::Part;
  Reproducible made = of_value("neg(complex64[1]{1+2j})", 0);
  made.wrong = made.right;
  const std::vector<std::byte> half = element_of(DType::kFloat32, 7.0);
  std::copy(half.begin(), half.end(), made.wrong.answer.bytes.begin() + 4);
  EXPECT_EQ(internal::value_claim(made).part, Part::kImaginary);
  EXPECT_TRUE(holds(short_python(made).text, "assert got.item().imag == expected"));
  EXPECT_TRUE(holds(short_cpp(made).text, ".item<c10::complex<double>>().imag()"));
}

TEST(PublicCall, LeadsToTheOverloadOfTheCase) {
  const auto called = [](std::string_view line) {
    const std::string text = short_python(refused(line)).text;
    const std::size_t at = text.rfind("print(") + 6;
    return text.substr(at, text.size() - at - 2);
  };
  EXPECT_EQ(called("add.Tensor(float32[1]{1}, float32[1]{2}, alpha=2)"),
            "torch.add(x, y, alpha=2)");
  EXPECT_EQ(called("add_.Tensor(float32[1]{1}, float32[1]{2})"), "x.add_(y)");
  EXPECT_EQ(called("special_zeta(float32[1]{2}, float32[1]{2})"), "torch.special.zeta(x, y)");
  EXPECT_EQ(called("hardtanh(float32[1]{2}, -1, 1)"), "F.hardtanh(x, min_val=-1, max_val=1)");
  EXPECT_EQ(called("huber_loss(float32[1]{2}, float32[1]{2}, reduction=0, delta=1.0)"),
            "F.huber_loss(x, y, reduction=\"none\", delta=1.0)");
  EXPECT_EQ(called("silu_backward(float32[1]{2}, float32[1]{2})"),
            "torch.ops.aten.silu_backward.default(x, y)");
  EXPECT_EQ(called("special_hermite_polynomial_h.n_scalar(float32[1]{2}, 3)"),
            "torch.special.hermite_polynomial_h(x, 3)");
  EXPECT_EQ(called("pow.Scalar(2, float32[1]{2})"), "torch.pow(2, x)");
}

TEST(Comment, IsCutAndWrapped) {
  const std::string text(40, 'a');
  const auto lines = internal::comment(text + " " + text + " " + text + " " + text, "#", 1);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], "# " + text + " " + text + " ...");
  EXPECT_EQ(internal::comment("a\\", "//", 2).front(), "// a\\.");
  EXPECT_EQ(internal::comment("a\nb\x1b", "#", 2).front(), "# a b\\x1b");
}

TEST(ShortProgram, HasFifteenLinesWhateverItsReason) {
  Reproducible made = of_value("add.Tensor(float32[1]{1}, float32[1]{2})", 7);
  for (int i = 0; i < 200; ++i) made.reason += "word ";
  EXPECT_LE(lines_of(short_python(made).text), kShortLines);
}

}  // namespace
}  // namespace upcast::fuzz
