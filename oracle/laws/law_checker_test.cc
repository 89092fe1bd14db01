// Tests with our implementation plus one habit, which breaks one law. Without the habit, our
// implementation keeps all laws.
#include "oracle/laws/law_checker.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/notation.h"
#include "oracle/impl_subject.h"

namespace upcast {
namespace {

/// A habit is a function that changes the reply of our implementation to a case.
using Habit = std::function<void(const Case&, Reply&)>;

LawReport held(Law law, const std::string& callable, const Habit& habit,
               std::vector<BrokenLaw> broken = {}) {
  ImplSubject impl;
  LawChecker checker(
      [&](const Case& c) {
        Reply reply;
        impl.answer(c, reply.answer);
        if (habit) habit(c, reply);
        return reply;
      },
      parse_side("impl:cpu"), {.broken = std::move(broken)});
  checker.check(law, *find_callable(callable).op);
  return checker.report();
}

void refuse(Reply& reply) {
  reply.answer = {};
  reply.answer.rejection = RejectionCode::kUnsupportedDType;
}

/// Expects that our implementation keeps a law for some pairs. If `habit` changes its replies, all
/// broken pairs must be of the kind `code`.
void expect_breaks(Law law, const std::string& callable, VerdictCode code, const Habit& habit) {
  const LawReport good = held(law, callable, {});
  EXPECT_TRUE(good.passes()) << good.unexplained.begin()->first;
  EXPECT_GT(good.counts[static_cast<int>(law)].binding, 0);
  const LawReport bad = held(law, callable, habit);
  EXPECT_FALSE(bad.passes()) << name(law);
  EXPECT_GT(bad.counts[static_cast<int>(law)].unexplained, 0);
  for (const auto& [signature, findings] : bad.unexplained)
    EXPECT_EQ(findings.first.code, code) << signature;
}

bool is_mixed(const Case& c) {
  return c.arguments.size() > 1 && c.arguments[1].tag == Operand::Tag::kTensor &&
         c.arguments[0].dtype != c.arguments[1].dtype;
}

TEST(LawChecker, FindsMixedOperandsThatAreRefused) {
  expect_breaks(Law::kCast, "maximum", VerdictCode::kDifferRefusal, [](const Case& c, Reply& r) {
    if (is_mixed(c)) refuse(r);
  });
}

TEST(LawChecker, FindsMixedOperandsWithAnotherDtypeOrValue) {
  expect_breaks(Law::kCast, "maximum", VerdictCode::kDifferDType, [](const Case& c, Reply& r) {
    if (is_mixed(c) && r.answer.dtype == DType::kInt16) r.answer.dtype = DType::kFloat16;
  });
  expect_breaks(Law::kCast, "maximum", VerdictCode::kDifferValue, [](const Case& c, Reply& r) {
    if (is_mixed(c) && r.answer.dtype == DType::kInt16) r.answer.bytes[0] ^= std::byte{1};
  });
}

TEST(LawChecker, FindsFormsThatAreRefused) {
  for (const Form form : {Form::kInPlace, Form::kOut})
    expect_breaks(Law::kForms, "atan2", VerdictCode::kDifferRefusal, [=](const Case& c, Reply& r) {
      if (c.form == form) refuse(r);
    });
}

TEST(LawChecker, ComparesWhatOutHoldsWithTheResultCastToIt) {
  expect_breaks(Law::kForms, "atan2", VerdictCode::kDifferValue, [](const Case& c, Reply& r) {
    if (c.form == Form::kOut && r.answer.dtype == DType::kFloat64)
      r.answer.bytes[6] ^= std::byte{1};
  });
}

TEST(LawChecker, FindsNumbersThatAreRefused) {
  expect_breaks(Law::kNumbers, "mul.Tensor", VerdictCode::kDifferRefusal,
                [](const Case& c, Reply& r) {
                  if (c.arguments[1].tag == Operand::Tag::kNumber) refuse(r);
                });
}

TEST(LawChecker, FindsPromotionToADtypeWithoutAKernel) {
  expect_breaks(Law::kWidening, "eq.Tensor", VerdictCode::kDifferRefusal,
                [](const Case& c, Reply& r) {
                  if (common_dtype_of(c) == DType::kInt16) refuse(r);
                });
}

TEST(LawChecker, FindsAliasesThatDiffer) {
  expect_breaks(Law::kSiblings, "abs", VerdictCode::kDifferRefusal, [](const Case& c, Reply& r) {
    // The alias `absolute` answers where `abs` refuses: each of the two is the other's witness.
    if (c.callable() == "abs") refuse(r);
  });
  expect_breaks(Law::kSiblings, "abs", VerdictCode::kDifferValue, [](const Case& c, Reply& r) {
    if (c.callable() == "absolute" && r.answer.tag == Answer::Tag::kTensor)
      r.answer.bytes[0] ^= std::byte{1};
  });
}

TEST(LawChecker, ADeathIsAFindingAndASideThatCannotSayIsNone) {
  expect_breaks(Law::kSiblings, "abs", VerdictCode::kCrash, [](const Case& c, Reply& r) {
    if (c.callable() == "absolute") r.death = "crash(SIGFPE)";
  });
  expect_breaks(Law::kSiblings, "abs", VerdictCode::kTimeout, [](const Case& c, Reply& r) {
    if (c.callable() == "absolute") r.death = "timeout";
  });
  const LawReport report = held(Law::kSiblings, "abs", [](const Case& c, Reply& r) {
    if (c.callable() == "absolute") r.answer.tag = Answer::Tag::kNotJudged;
  });
  EXPECT_TRUE(report.passes());
  EXPECT_GT(report.counts[static_cast<int>(Law::kSiblings)].not_judged, 0);
}

const std::string kMixed =
    "[[broken]]\nid = \"mixed\"\nlaw = \"cast\"\nkind = \"refusal\"\n"
    "select = '{maximum,max.other}(*, *)'\nclass = \"bug\"\nlibtorch = \">=2,<3\"\n"
    "reason = \"r\"\nfound = \"2026-11-23\"\ncase = 'maximum(int8[2], int16[2])'\n"
    "witness = 'path: maximum(int16[2], int16[2])'\n";

TEST(LawChecker, AnEntryExplainsWhatItNames) {
  const LawReport report = held(
      Law::kCast, "maximum",
      [](const Case& c, Reply& r) {
        if (is_mixed(c)) refuse(r);
      },
      parse_broken_laws(kMixed, "b.toml"));
  EXPECT_TRUE(report.passes());
  EXPECT_EQ(report.explained.at("mixed").count,
            report.counts[static_cast<int>(Law::kCast)].explained);
}

TEST(LawChecker, AnEntryOfItsVersionThatExplainsNothingIsUnused) {
  const auto unused = [](const std::string& version, bool refuses) {
    ImplSubject impl;
    LawChecker checker(
        [&](const Case& c) {
          Reply reply;
          impl.answer(c, reply.answer);
          if (refuses && is_mixed(c)) refuse(reply);
          return reply;
        },
        parse_side("libtorch:cpu"), {parse_broken_laws(kMixed, "b.toml"), {}, version});
    checker.check(Law::kCast, *find_callable("maximum").op);
    return checker.unused();
  };
  EXPECT_EQ(unused("2.15.0", false), std::vector<std::string>{"mixed"});
  EXPECT_TRUE(unused("2.15.0", true).empty());
  EXPECT_TRUE(unused("3.0.0", false).empty()) << "it does not apply";
}

LawReport held(const std::string& identity, const Habit& habit) {
  ImplSubject impl;
  LawChecker checker(
      [&](const Case& c) {
        Reply reply;
        impl.answer(c, reply.answer);
        if (habit) habit(c, reply);
        return reply;
      },
      parse_side("impl:cpu"), {});
  checker.check(parse_identities(identity + "\n", "i.txt").at(0));
  return checker.report();
}

void refuse_neg(const Case& c, Reply& r) {
  if (c.op->spec->name == std::string_view("neg")) refuse(r);
}

TEST(LawChecker, AnIdentityBindsAsItsRelationSays) {
  const auto passes = [](const std::string& identity, const Habit& habit) {
    return held(identity, habit).passes();
  };
  EXPECT_TRUE(passes("neg(x) = mul(x, -1) for integral", [](const Case& c, Reply& r) {
    if (c.arguments[0].dtype == DType::kUInt16 || c.arguments[0].dtype == DType::kUInt32 ||
        c.arguments[0].dtype == DType::kUInt64)
      refuse(r);
  }));
  EXPECT_FALSE(passes("neg(x) = mul(x, -1) for integral", &refuse_neg));
  EXPECT_FALSE(passes("mul(x, -1) = neg(x) for integral", &refuse_neg));
  EXPECT_FALSE(passes("neg(x) <- mul(x, -1) for integral", &refuse_neg));
  EXPECT_TRUE(passes("mul(x, -1) <- neg(x) for integral", &refuse_neg)) << "nothing is owed";
  EXPECT_FALSE(passes("abs(x) = sgn(x) for floating", {})) << "values";
  EXPECT_TRUE(passes("trunc(x) ~ frac(x) for floating", [](const Case& c, Reply& r) {
    if (is_floating(c.arguments[0].dtype) && itemsize(c.arguments[0].dtype) == 1) refuse(r);
  })) << "values are not compared";
}

TEST(LawChecker, AChainThatIsRefusedNamesTheCallWithin) {
  const LawReport report = held("mul(x, neg(x)) ~ mul(x, x) for integral", &refuse_neg);
  ASSERT_FALSE(report.passes());
  for (const auto& [signature, findings] : report.unexplained)
    EXPECT_EQ(findings.first.call.call.callable(), "neg") << signature;
}

}  // namespace
}  // namespace upcast
