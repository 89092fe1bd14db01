// Tests what holds for every rule book, and the rules of each book one by one. `upcast run --grid
// rulebooks` checks cell by cell that a book answers as its library does.
#include "impl/promotion/rulebooks/rulebooks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "impl/promotion/rulebooks/testing/asking.h"

namespace upcast::rulebooks::testing {
namespace {

TEST(RuleBooks, HaveNamesOfTheirOwnAndSayWhereTheyComeFrom) {
  std::set<std::string_view> names;
  for (const RuleBook* book : kRuleBooks) {
    EXPECT_TRUE(names.insert(book->name).second) << book->name;
    EXPECT_FALSE(book->title.empty()) << book->name;
    EXPECT_FALSE(book->version.empty()) << book->name;
    EXPECT_FALSE(book->origin.empty()) << book->name;
    EXPECT_FALSE(book->dtypes.empty()) << book->name;
  }
  EXPECT_EQ(names.size(), 15U);
}

TEST(RuleBooks, GiveARuleForEveryAnswer) {
  int answered = 0;
  for (const RuleBook* book : kRuleBooks)
    for (const std::string_view op : {"add", "div", "eq", "pow", "bitwise_and", "where", "atan2"})
      for (const Operand& a : {array(kBool), array(kInt16), array(kFloat32), zero_dim(kInt64)})
        for (const Operand& b : {array(kInt8), array(kComplex64), number(300), number(1.5)}) {
          const Reply reply = asked(*book, op, {a, b});
          EXPECT_FALSE(reply.rule.empty()) << book->name << " " << op;
          answered += reply.tag != Reply::Tag::kOutside;
        }
  EXPECT_GT(answered, 800);
}

TEST(RuleBooks, AreSilentOnDTypesTheyDoNotKnow) {
  for (const RuleBook* book : kRuleBooks) {
    const Reply reply = asked(*book, "add", {array(kInt4), array(kInt4)});
    EXPECT_EQ(reply.tag == Reply::Tag::kOutside, book != &kPyTorch) << book->name;
  }
}

TEST(NumpyLegacy, LooksAtTheValueOfAScalarOfNoHigherKind) {
  const auto add = [](const Operand& a, const Operand& b) {
    return asked(kNumpyLegacy, "add", {a, b});
  };
  EXPECT_EQ(add(array(kInt8), number(127)), is(kInt8));
  EXPECT_EQ(add(array(kInt8), number(128)), is(kInt16));
  EXPECT_EQ(add(array(kUInt8), number(-1)), is(kInt16));
  EXPECT_EQ(add(array(kFloat16), number(300)), is(kFloat32));
  EXPECT_EQ(add(array(kFloat16), number(1e5)), is(kFloat32));
  EXPECT_EQ(add(array(kFloat32), number(1e40)), is(kFloat64));
  EXPECT_EQ(add(array(kInt8), number(1.0)), is(kFloat64)) << "a higher kind joins in full";
  EXPECT_EQ(add(zero_dim(kUInt8), number(1)), is(kInt64)) << "scalars only: no value is looked at";
  EXPECT_EQ(add(array(kInt8), {kInt64, Rank::kNumber, 0x1p64L}), kOutside);
}

TEST(Nep50, PythonNumbersAreWeakAndMustFit) {
  const auto add = [](const Operand& a, const Operand& b) { return asked(kNep50, "add", {a, b}); };
  EXPECT_EQ(add(array(kInt8), number(127)), is(kInt8));
  EXPECT_EQ(add(array(kInt8), number(128)), kRefused);
  EXPECT_EQ(add(array(kFloat16), number(1e5)), is(kFloat16));
  EXPECT_EQ(add(array(kInt8), zero_dim(kInt64)), is(kInt64)) << "a zero-dim array counts in full";
  EXPECT_EQ(add(array(kBool), number(1)), is(kInt64));
  EXPECT_EQ(asked(kNep50, "eq", {array(kInt8), number(300)}), is(kBool));
}

TEST(Nep50, ANegativePowerOfUnsignedIntegersIsANumberThatDoesNotFit) {
  const Reply of_signed = asked(kNep50, "pow", {array(kInt8), number(-1)});
  EXPECT_EQ(of_signed.rule, "integers to negative integer powers are not allowed");
  const Reply of_unsigned = asked(kNep50, "pow", {array(kUInt8), number(-1)});
  EXPECT_NE(of_unsigned.rule.find("OverflowError"), std::string_view::npos);
}

TEST(Numpy, TheOrderOfThreeArraysDoesNotMatter) {
  std::array<DType, 3> dtypes{DType::kUInt16, DType::kInt8, DType::kFloat32};
  std::sort(dtypes.begin(), dtypes.end());
  do {
    for (const RuleBook* book : {&kNumpyLegacy, &kNep50}) {
      const Reply reply =
          asked(*book, "result_type", {array(dtypes[0]), array(dtypes[1]), array(dtypes[2])});
      EXPECT_EQ(reply.dtype, DType::kFloat32) << book->name;
    }
  } while (std::next_permutation(dtypes.begin(), dtypes.end()));
}

TEST(Numpy, FindsTheFirstLoopThatHoldsEveryOperand) {
  EXPECT_EQ(asked(kNep50, "atan2", {array(kInt8), array(kUInt8)}), is(kFloat16))
      << "each operand casts to float16, although both promote to int16";
  EXPECT_EQ(asked(kNep50, "add", {array(kInt8), array(kUInt8)}), is(kInt16));
  EXPECT_EQ(asked(kNep50, "div", {array(kInt8), array(kInt8)}), is(kFloat64));
}

TEST(Jax, TheLatticeIsOneWithWeakTypes) {
  EXPECT_EQ(asked(kJaxX64, "add", {array(kUInt64), array(kInt8)}), is_weak(kFloat64));
  EXPECT_EQ(asked(kJaxX64, "add", {array(kBool), number(1)}), is_weak(kInt64));
  EXPECT_EQ(asked(kJaxX64, "add", {array(kFloat16), array(kBFloat16)}), is(kFloat32));
  EXPECT_EQ(asked(kJaxX64, "add", {array(kFloat8E5M2), array(kFloat16)}), kRefused);
  EXPECT_EQ(asked(kJaxX64, "add", {array(kInt8), {kInt64, Rank::kNumber, 0x1p63L}}), kRefused);
  EXPECT_EQ(asked(kJaxX64, "pow", {weak(kFloat64), array(kInt8)}), is(kFloat64))
      << "power is the one op that is not symmetric";
  EXPECT_EQ(asked(kJaxX64, "pow", {array(kInt8), weak(kFloat64)}), is_weak(kFloat64));
}

TEST(Jax, In32BitModeWhatHas64BitsIsNarrowed) {
  EXPECT_EQ(asked(kJaxX32, "add", {array(kInt64), array(kInt8)}), is(kInt32));
  EXPECT_EQ(asked(kJaxX32, "add", {array(kUInt32), array(kInt32)}), is(kInt32));
  EXPECT_EQ(asked(kJaxX32, "sin", {array(kInt64)}), is(kFloat32));
  EXPECT_EQ(asked(kJaxX32, "add", {array(kInt8), {kInt64, Rank::kNumber, 0x1p31L}}), kRefused);
}

TEST(Jax, PromoteTypesNarrowsNothingIn32BitMode) {
  // The expected dtypes are JAX 0.10.2's answers without x64, which are also in
  // cases/rulebooks/jax_0.10.2_x32.json.
  const auto promote = [](DType a, DType b) {
    return asked(kJaxX32, "promote_types", {array(a), array(b)});
  };
  EXPECT_EQ(promote(kUInt32, kInt8), is(kInt32)) << "uint32 is below int32 in a lattice of its own";
  EXPECT_EQ(promote(kUInt32, kUInt64), is(kUInt64));
  EXPECT_EQ(promote(kInt64, kInt64), is(kInt64));
  EXPECT_EQ(promote(kBool, kFloat64), is(kFloat64));
  EXPECT_EQ(promote(kUInt64, kInt8), is(kFloat64));
  EXPECT_EQ(asked(kJaxX64, "promote_types", {array(kUInt32), array(kInt8)}), is(kInt64));
  EXPECT_EQ(asked(kJaxX32, "result_type", {array(kUInt64), array(kInt8)}), is(kInt32))
      << "arrays are of 32 bits, whatever was asked for";
  EXPECT_EQ(asked(kJaxX32, "result_type", {array(kInt64)}), is(kInt32));
  EXPECT_EQ(asked(kJaxX64, "result_type", {number(1.5)}), is_weak(kFloat64));
}

TEST(Jax, JoinIsAssociativeAndTheLeastUpperBound) {
  for (const jax::Mode mode : {jax::Mode::kX64, jax::Mode::kX32}) {
    const jax::Closure& above = mode == jax::Mode::kX64 ? jax::kAboveX64 : jax::kAboveX32;
    const auto join = [mode](int a, int b) { return jax::join(a, b, mode); };
    int bounded = 0;
    for (int a = 0; a < jax::kNodes; ++a)
      for (int b = 0; b < jax::kNodes; ++b) {
        const int ab = join(a, b);
        EXPECT_EQ(ab, join(b, a));
        if (ab == jax::kNodes) continue;
        ++bounded;
        EXPECT_EQ(above[a] & above[b], above[ab]);
        for (int c = 0; c < jax::kNodes; ++c) {
          const int bc = join(b, c);
          if (bc == jax::kNodes || join(ab, c) == jax::kNodes) continue;
          EXPECT_EQ(join(ab, c), join(a, bc));
        }
      }
    EXPECT_GT(bounded, 400);
  }
}

TEST(Jax, StrictModeMixesNoTwoStrongDTypes) {
  EXPECT_EQ(asked(kJaxStrict, "add", {array(kBool), array(kInt32)}), kRefused);
  EXPECT_EQ(asked(kJaxStrict, "add", {array(kInt8), number(1)}), is(kInt8));
  EXPECT_EQ(asked(kJaxStrict, "add", {array(kBool), number(1)}), kRefused);
  EXPECT_EQ(asked(kJaxStrict, "add", {array(kFloat16), number(1.5)}), is(kFloat16));
}

TEST(ArrayApi, MixesNothingAcrossKinds) {
  EXPECT_EQ(asked(kArrayApi, "add", {array(kUInt32), array(kInt8)}), is(kInt64));
  EXPECT_EQ(asked(kArrayApi, "add", {array(kUInt64), array(kInt8)}), kRefused);
  EXPECT_EQ(asked(kArrayApi, "add", {array(kInt8), array(kFloat32)}), kRefused);
  EXPECT_EQ(asked(kArrayApi, "add", {array(kBool), array(kBool)}), kRefused);
  EXPECT_EQ(asked(kArrayApi, "div", {array(kInt8), array(kInt8)}), kRefused);
  EXPECT_EQ(asked(kArrayApi, "add", {array(kFloat32), number(1)}), is(kFloat32));
  EXPECT_EQ(asked(kArrayApi, "add", {array(kInt8), number(300)}), kRefused);
}

TEST(PyTorch, AnswersAsTheEngineItIs) {
  EXPECT_EQ(asked(kPyTorch, "add", {array(kFloat16), zero_dim(kComplex128)}), is(kComplex32));
  EXPECT_EQ(asked(kPyTorch, "add", {array(kBFloat16), kImaginary}), is(kBComplex32));
  EXPECT_EQ(asked(kPyTorch, "add", {array(kUInt16), array(kInt8)}), kRefused);
  EXPECT_EQ(asked(kPyTorch, "div", {array(kInt8), array(kInt8)}, Form::kOperator, kFloat64),
            is(kFloat64));
  EXPECT_EQ(asked(kPyTorch, "add", {array(kInt64), array(kFloat32)}, Form::kInPlace), kRefused);
  EXPECT_EQ(asked(kPyTorch, "add", {array(kInt8), array(kInt64)}, Form::kInPlace), is(kInt8));
}

}  // namespace
}  // namespace upcast::rulebooks::testing
