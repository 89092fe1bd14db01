// Tests the pairs of calls that laws make, the identities, and the list of broken laws.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cases/laws/broken_laws.h"
#include "cases/laws/call_pair.h"
#include "cases/laws/callable_twins.h"
#include "cases/laws/identity.h"
#include "cases/notation.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

const Op& op_of(std::string_view callable) { return *find_callable(callable).op; }

/// The witnesses that a law pairs with a call, as case lines.
std::set<std::string> witnesses(Law law, const std::string& call) {
  std::set<std::string> lines;
  for_each_pair(law, *parse_case(call).op, [&](const CallPair& pair) {
    if (print_case(pair.call) == call) lines.insert(print_case(pair.witness));
  });
  return lines;
}

TEST(Laws, MixedOperandsAreOwedWhatCastOnesGet) {
  EXPECT_EQ(witnesses(Law::kCast, "add.Tensor(int32[2], float32[2])"),
            std::set<std::string>{"add.Tensor(float32[2]{7,-5}, float32[2]{-1.1,0.7})"});
  EXPECT_TRUE(witnesses(Law::kCast, "add.Tensor(float32[2], float32[2])").empty());
  EXPECT_TRUE(witnesses(Law::kCast, "add.Tensor(uint16[2], int32[2])").empty()) << "do not promote";
}

TEST(Laws, AResultIsOwedToEveryOutAndInPlace) {
  EXPECT_EQ(witnesses(Law::kForms, "neg.out(int8[2], out=float64[2])"),
            std::set<std::string>{"neg(int8[2])"});
  EXPECT_EQ(witnesses(Law::kForms, "add_.Tensor(float32[2], int64[2])"),
            std::set<std::string>{"add.Tensor(float32[2], int64[2])"});
}

TEST(Laws, ANumberIsOwedWhatAZeroDimTensorGets) {
  const std::set<std::string> zero_dim{"add.Tensor(int8[2], float32[]{2.5})"};
  EXPECT_EQ(witnesses(Law::kNumbers, "add.Tensor(int8[2], 2.5)"), zero_dim);
  EXPECT_EQ(witnesses(Law::kNumbers, "add.Scalar(int8[2], 2.5)"), zero_dim);
  EXPECT_TRUE(witnesses(Law::kNumbers, "hypot(float32[2], 2.5)").empty())
      << "Python gives hypot no number";
}

TEST(Laws, PromotionIsOwedAKernelThatAWiderDtypeHas) {
  EXPECT_EQ(witnesses(Law::kWidening, "div.Scalar(float16[2], 1+2j)"),
            std::set<std::string>{"div.Scalar(complex128[2]{0.333251953125+0j,-2.25+0j}, 1+2j)"});
  EXPECT_EQ(witnesses(Law::kWidening, "sqrt(int64[2]) @default=float16"),
            std::set<std::string>{"sqrt(int64[2])"});
}

TEST(Laws, AliasesAreSiblings) {
  EXPECT_TRUE(witnesses(Law::kSiblings, "absolute(int8[2])").contains("abs(int8[2])"));
  EXPECT_TRUE(
      witnesses(Law::kSiblings, "mul.Scalar(int8[2], 3)").contains("mul.Tensor(int8[2], 3)"));
  EXPECT_TRUE(internal::aliases(op_of("sin")).empty());
}

TEST(Laws, AskEveryOpThatHasATensor) {
  for (const Op& op : catalogue()) {
    std::int64_t pairs = 0;
    for (std::size_t law = 0; law < kLaws.size(); ++law)
      for_each_pair(static_cast<Law>(law), op, [&](const CallPair&) { ++pairs; });
    const bool has_tensor =
        std::any_of(op.schemas.begin(), op.schemas.end(),
                    [](const Schema& schema) { return !tensor_positions(schema).empty(); });
    const bool has_one_form = op.schemas.size() == 1 && op.callable(0, Form::kOut).empty() &&
                              op.callable(0, Form::kInPlace).empty();
    EXPECT_TRUE(pairs > 0 || !has_tensor || has_one_form) << op.schemas[0].callable;
  }
}

TEST(Laws, ANameThatIsNoLawIsAFault) { EXPECT_THROW(parse_law("casts"), UsageError); }

/// The case line of an expression. The variables x and y become float32 tensors, m a bool tensor,
/// and each nested call a float32 tensor.
std::string line_of(const Expression& expression) {
  static const std::map<std::string, std::string> kVariables{
      {"x", "float32[2]"}, {"y", "float32[2]"}, {"m", "bool[2]"}};
  std::string line = expression.callable + "(";
  for (const Expression::Argument& argument : expression.arguments) {
    if (line.back() != '(') line += ", ";
    if (!argument.keyword.empty()) line += argument.keyword + "=";
    const auto variable = kVariables.find(argument.text);
    line += !argument.nested.empty()       ? "float32[2]"
            : variable != kVariables.end() ? variable->second
                                           : argument.text;
  }
  return line + ")";
}

void expect_resolved(const Expression& expression, std::set<std::string>& ops) {
  ops.insert(std::string(parse_case(line_of(expression)).op->spec->name));
  for (const Expression::Argument& argument : expression.arguments)
    for (const Expression& nested : argument.nested) expect_resolved(nested, ops);
}

TEST(Identities, ResolveThroughTheCatalogue) {
  std::set<std::string> ops, texts;
  for (const Identity& identity : identities()) {
    EXPECT_NO_THROW(expect_resolved(identity.left, ops)) << identity.text;
    EXPECT_NO_THROW(expect_resolved(identity.right, ops)) << identity.text;
    EXPECT_TRUE(texts.insert(identity.text).second) << identity.text << " stands twice";
    EXPECT_FALSE(identity.dtypes.empty()) << identity.text;
  }
  EXPECT_GE(texts.size(), 170U);
  EXPECT_GE(ops.size(), 130U);
}

TEST(Identities, AreReadFromLines) {
  const std::vector<Identity> read = parse_identities(
      "# a comment\n"
      "square(x) = pow(x, 2) for integral floating\n"
      "div(x, y, rounding_mode=\"floor\") <- mul(x, exp(y))\n",
      "i.txt");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].relation, Relation::kSame);
  EXPECT_TRUE(read[0].dtypes.contains(DType::kInt8));
  EXPECT_FALSE(read[0].dtypes.contains(DType::kComplex64));
  EXPECT_FALSE(read[0].left.uses("y"));
  EXPECT_EQ(read[1].relation, Relation::kOwes);
  EXPECT_TRUE(read[1].right.uses("y"));
  EXPECT_EQ(read[1].left.arguments[2].keyword, "rounding_mode");
  EXPECT_EQ(read[1].left.arguments[2].text, "\"floor\"");
}

/// Expects that reading `text` throws an error whose message begins with `place`.
void expect_fault(const std::string& text, const std::string& place) {
  try {
    parse_identities(text, "i.txt");
    ADD_FAILURE() << text << " is read";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, place.size()), place) << error.what();
  }
}

TEST(Identities, SayWhereTheyAreWrong) {
  expect_fault("square(x) pow(x, 2)\n", "i.txt:1:11: two calls are joined");
  expect_fault("\nsquare(x = pow(x, 2)\n", "i.txt:2:");
  expect_fault("square(x) = 2\n", "i.txt:1:14: a call");
  expect_fault("neg(x) = neg(x) for floats\n", "i.txt:1:27: unknown category 'floats'");
  expect_fault("neg(x) = neg(x) for\n", "i.txt:1:17: an identity ends");
}

const std::string kEntry =
    "[[broken]]\n"
    "id = \"a\"\nlaw = \"cast\"\nkind = \"refusal\"\nselect = 'lerp.Scalar(...)'\n"
    "class = \"ambiguous\"\nlibtorch = \">=2.15\"\nreason = \"r\"\nfound = \"2026-11-23\"\n"
    "case = 'lerp.Scalar(float32[2], float64[2], 2.5)'\n"
    "witness = 'path: lerp.Scalar(float64[2], float64[2], 2.5)'\n";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kEntry;
  return text.replace(text.find(from), from.size(), to);
}

TEST(BrokenLaws, NameThePairsOfTheirLawKindAndCalls) {
  const BrokenLaw broken = parse_broken_laws(kEntry, "b.toml").at(0);
  const Case call = parse_case(broken.case_line);
  const Case witness = parse_case(broken.witness);
  EXPECT_TRUE(broken.names(Law::kCast, "refusal", call, witness));
  EXPECT_FALSE(broken.names(Law::kForms, "refusal", call, witness));
  EXPECT_FALSE(broken.names(Law::kCast, "value", call, witness));
  EXPECT_FALSE(broken.names(Law::kCast, "refusal", parse_case("add(int8[2], int8[2])"), witness));
}

TEST(BrokenLaws, MayBeAboutACommonDtypeAndAWitness) {
  const BrokenLaw broken = parse_broken_laws(
      changed("class", "common = \"{float64,complex}\"\nwitnesses = '*(float64[?], ...)'\nclass"),
      "b.toml")[0];
  const Case call = parse_case(broken.case_line);
  const Case witness = parse_case(broken.witness);
  EXPECT_TRUE(broken.names(Law::kCast, "refusal", call, witness));
  EXPECT_FALSE(broken.names(Law::kCast, "refusal", call, call)) << "another witness";
  EXPECT_FALSE(broken.names(Law::kCast, "refusal",
                            parse_case("lerp.Scalar(float16[2], float32[2], 2.5)"), witness))
      << "the common dtype is float32";
}

TEST(BrokenLaws, AreRefusedWhereTheyAreWrong) {
  EXPECT_NO_THROW(parse_broken_laws(kEntry, "b.toml"));
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"law = \"cast\"", "law = \"casts\""},
           {"\"refusal\"", "\"crash\""},
           {"ambiguous", "by_design"},  // by_design needs a link, which the entry lacks
           {"ambiguous", "host_defined"},
           {"path: ", ""},
           {"found = \"2026-11-23\"\n", ""},
           {"2026-11-23", "2026-13-23"},
           {"reason", "raison"},
           {"lerp.Scalar(...)", "add.Tensor(...)"},  // a selector that misses its own case
           {"[[broken]]", "[[known]]"}})
    EXPECT_THROW(parse_broken_laws(changed(from, to), "b.toml"), UsageError) << to;
  EXPECT_THROW(parse_broken_laws(kEntry + kEntry, "b.toml"), UsageError) << "an id twice";
}

TEST(BrokenLaws, OfTheFileAreRead) { EXPECT_GT(broken_laws().size(), 30U); }

}  // namespace
}  // namespace upcast
