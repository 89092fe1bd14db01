// Tests questions to which a seed (docs/seeds.md) and today's library answer differently. They have
// the ids of docs/rulebooks.md. Only those questions are here that no table of a library can show,
// because they are about names, values or dtypes that tables lack. Each test prints both answers.
#include <gtest/gtest.h>

#include <sstream>

#include "impl/promotion/rulebooks/testing/asking.h"

namespace upcast::rulebooks::testing {
namespace {

struct Deviation {
  const char* id;
  const char* question;
  Reply seed;   // the answer of the seed, or of its rule book
  Reply today;  // the answer of today's rule book
  Reply expected_seed, expected_today;
};

const Deviation kDeviations[] = {
    {"A1", "float16[] + 5.5: a number above a zero-dim tensor?", is(kFloat32),
     asked(kPyTorch, "add", {zero_dim(kFloat16), number(5.5)}), is(kFloat32), is(kFloat16)},
    {"A1", "int32[] + 5", is(kInt64), asked(kPyTorch, "add", {zero_dim(kInt32), number(5)}),
     is(kInt64), is(kInt32)},
    {"A4", "uint8[2] + 1e300: large enough for its value?", is(kFloat64),
     asked(kPyTorch, "add", {array(kUInt8), number(1e300)}), is(kFloat64), is(kFloat32)},
    {"A5", "float32[2] + complex128[]: a dtype that holds it?", is(kComplex128),
     asked(kPyTorch, "add", {array(kFloat32), zero_dim(kComplex128)}), is(kComplex128),
     is(kComplex64)},
    {"B3", "float32[] + 1 in NumPy", asked(kNumpyLegacy, "add", {zero_dim(kFloat32, 4), number(1)}),
     asked(kNep50, "add", {zero_dim(kFloat32, 4), number(1)}), is(kFloat64), is(kFloat32)},
    {"B3", "uint8[] + 1 in NumPy", asked(kNumpyLegacy, "add", {zero_dim(kUInt8, 0), number(1)}),
     asked(kNep50, "add", {zero_dim(kUInt8, 0), number(1)}), is(kInt64), is(kUInt8)},
    {"C4", "acos(int64): no name of NumPy's?", asked(kThesisNumpy, "acos", {array(kInt64)}),
     asked(kNep50, "acos", {array(kInt64)}), kOutside, is(kFloat64)},
    {"C4", "asin(int8)", asked(kThesisNumpy, "asin", {array(kInt8)}),
     asked(kNep50, "asin", {array(kInt8)}), kOutside, is(kFloat16)},
    {"C5", "bitwise_not(int8): no name of NumPy's?", kOutside,
     asked(kNumpyLegacy, "bitwise_not", {array(kInt8)}), kOutside, is(kInt8)},
    {"C9", "jax.numpy.trunc(int64)", asked(kThesisJax, "trunc", {array(kInt64)}),
     asked(kJaxX32, "trunc", {array(kInt64)}), kRefused, is(kInt32)},
    {"C9", "jax.numpy.modf(int8)", asked(kThesisJax, "modf", {array(kInt8)}),
     asked(kJaxX32, "modf", {array(kInt8)}), kRefused, is(kFloat32)},
    {"C11", "figure 3.4: ceil(int64)", is(kFloat64), asked(kPyTorch, "ceil", {array(kInt64)}),
     is(kFloat64), is(kInt64)},
    {"C11", "figure 3.4: angle(int64)", is(kFloat64), asked(kPyTorch, "angle", {array(kInt64)}),
     is(kFloat64), is(kFloat32)},
    {"C11", "figure 3.4: conj(bool)", is(kInt8), asked(kPyTorch, "conj", {array(kBool)}), is(kInt8),
     is(kBool)},
    // This question is about promotion alone. LibTorch has no kernel for round of bool
    // (docs/seeds.md).
    {"C11", "figure 3.4: round(bool)", is(kFloat16), asked(kPyTorch, "round", {array(kBool)}),
     is(kFloat16), is(kBool)},
    {"C15", "figure 3.10: angle(complex64)", asked(kThesis, "angle", {array(kComplex64)}),
     asked(kPyTorch, "angle", {array(kComplex64)}), is(kComplex64), is(kFloat32)},
    {"C16", "figure 3.2: square(bool) is as bool * bool",
     asked(kPyTorch, "mul", {array(kBool), array(kBool)}),
     asked(kPyTorch, "square", {array(kBool)}), is(kBool), is(kInt64)},
    // Source: PyTorch 2.15.0's TorchScript exporter, probed; see pytorch_2.15.0_onnx_export.json.
    {"C14", "export of sin(int64) at opset 9: with a Cast?",
     asked(kThesisOnnx, "sin", {array(kInt64)}), refuses("the exporter makes an invalid model"),
     is(kFloat32), kRefused},
    {"P23", "sample: int64[2] + 1.0, float16 by its comment", is(kFloat16),
     asked(kPaddle, "add", {array(kInt64), number(1.0)}), is(kFloat16), is(kFloat32)},
};

TEST(Deviations, SeedAndLibraryAnswerAsIsSaid) {
  for (const Deviation& each : kDeviations) {
    std::ostringstream text;
    text << each.id << "  " << each.question << "  seed: ";
    PrintTo(each.seed, &text);
    text << "  today: ";
    PrintTo(each.today, &text);
    std::printf("%s\n", text.str().c_str());
    EXPECT_EQ(each.seed, each.expected_seed) << each.id;
    EXPECT_EQ(each.today, each.expected_today) << each.id;
    EXPECT_FALSE(each.seed == each.today) << each.id << " is no deviation any more";
  }
}

/// The operands of the article's cases (docs/sources.md): its 13 dtypes, each as dim and as
/// zero-dim tensor, and four numbers.
std::vector<Operand> operands_of_seed_000() {
  std::vector<Operand> operands{number(true), number(1), number(1.5), kImaginary};
  for (const DType dtype : {kBool, kUInt8, kInt8, kInt16, kInt32, kInt64, kFloat16, kBFloat16,
                            kFloat32, kFloat64, kComplex32, kComplex64, kComplex128}) {
    operands.push_back(array(dtype));
    operands.push_back(zero_dim(dtype));
  }
  return operands;
}

TEST(Deviations, A2TenPairsOfBfloat16GiveBcomplex32WhichTheSeedHasNot) {
  int pairs = 0;
  int differ = 0;
  for (const Operand& a : operands_of_seed_000())
    for (const Operand& b : operands_of_seed_000()) {
      ++pairs;
      differ += asked(kPyTorch, "result_type", {a, b}) == is(kBComplex32);
    }
  EXPECT_EQ(pairs, 900);
  EXPECT_EQ(differ, 10) << "complex64 by the seed";
  std::printf("A2  bfloat16[2] + 1j  seed: complex64  today: bcomplex32\n");
}

TEST(Deviations, B2TheProposalIsSilentOnThePairsThatHaveAComplexOperand) {
  int silent = 0;
  for (const Operand& a : operands_of_seed_000())
    for (const Operand& b : operands_of_seed_000())
      silent += asked(kProposal9515, "result_type", {a, b}) == kOutside;
  EXPECT_EQ(silent, 371);
  std::printf("B2  371 of 900 pairs  seed: nothing  today: as result_type\n");
}

TEST(Deviations, P15TheFunctionEqualCastsTheNumberToBool) {
  const Reply as_operator = asked(kPaddle, "eq", {array(kBool), number(2)});
  const Reply as_function = asked(kPaddle, "eq", {array(kBool), number(2)}, Form::kFunction);
  EXPECT_EQ(as_operator, is(kBool));
  EXPECT_EQ(as_function, is(kBool));
  EXPECT_NE(as_operator.rule, as_function.rule) << "equal(True, 2) is True, True == 2 is False";
  std::printf("P15  operator: %s  function: %s\n", std::string(as_operator.rule).c_str(),
              std::string(as_function.rule).c_str());
}

TEST(Deviations, P19OneOfThe32ApisStandsTwice) {
  int rows = 0;
  for (const paddle_document::Api& api : paddle_document::kApis)
    rows += is_one_of("huber_loss", api.names);
  EXPECT_EQ(rows, 1) << "rows 26 and 31 say the same";
  EXPECT_EQ(asked(kPaddleDocument, "huber_loss", {array(kFloat16), array(kFloat32)}), is(kFloat32));
  for (const RuleBook* book : {&kPaddleDocument, &kPaddle})
    EXPECT_EQ(asked(*book, "smooth_l1_loss", {array(kFloat16), array(kFloat32)}), is(kFloat32))
        << "the public name";
}

}  // namespace
}  // namespace upcast::rulebooks::testing
