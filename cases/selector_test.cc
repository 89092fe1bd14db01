#include "cases/selector.h"

#include <gtest/gtest.h>

#include <span>
#include <string_view>
#include <vector>

#include "cases/selector_index.h"
#include "cases/testing/usage_error.h"

namespace upcast {
namespace {

struct Match {
  const char* name;
  const char* selector;
  std::vector<const char*> named;
  std::vector<const char*> not_named;  // the controls
};

std::ostream& operator<<(std::ostream& out, const Match& match) { return out << match.selector; }

class Selects : public testing::TestWithParam<Match> {};

TEST_P(Selects, WhatItNamesAndNothingElse) {
  const Selector selector(GetParam().selector);
  for (const char* line : GetParam().named) {
    const Case c = parse_case(line);
    EXPECT_TRUE(selector.matches(c)) << line;
    EXPECT_TRUE(selector.matches_any(plan_of_cases({c}, "").rows[0])) << line;
  }
  for (const char* line : GetParam().not_named) {
    const Case c = parse_case(line);
    EXPECT_FALSE(selector.matches(c)) << line;
    EXPECT_FALSE(selector.matches_any(plan_of_cases({c}, "").rows[0])) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Selector, Selects,
    testing::Values(
        Match{"Callable",
              "add.Tensor(*, *)",
              {"add(int8[1], int8[1])", "add(int8[1], 2)"},
              {"add_(int8[1], int8[1])", "sub(int8[1], int8[1])",
               "add(int8[1], int8[1], out=int8[1])"}},
        Match{"Braces",
              "{add,mul}{,_}.Tensor(*, *)",
              {"add(int8[1], int8[1])", "add_(int8[1], 2)", "mul_(int8[1], 2)"},
              {"sub(int8[1], int8[1])"}},
        Match{"Star",
              "*(*)",
              {"exp(int8[1])", "neg_(int8[1])", "exp(int8[1], out=int8[1])"},
              {"add(int8[1], 1)"}},
        Match{"Ellipsis",
              "a*(float32[*], ...)",
              {"add(f32[1], 1)", "abs(f32[1])"},
              {"add(f64[1], f32[1])", "exp(f32[1])"}},
        Match{"DimTensor", "exp(float16[*])", {"exp(f16[2,3])"}, {"exp(f16[])", "exp(f32[2,3])"}},
        Match{"ZeroDimTensor", "exp(float16[])", {"exp(f16[])"}, {"exp(f16[1])"}},
        Match{"EitherTensor",
              "add.Tensor(*, float16[?])",
              {"add(int8[1], f16[])", "add(int8[1], f16[1])"},
              {"add(int8[1], 1.5)"}},
        Match{"Shape", "exp(float16[2,3])", {"exp(f16[2,3])"}, {"exp(f16[3,2])", "exp(f16[])"}},
        Match{"Values",
              "exp(float16[2]{1,nan})",
              {"exp(f16[2]{1,nan})"},
              {"exp(f16[2])", "exp(f16[2]{1,2})"}},
        Match{"Set",
              "exp({floating,!float8,bool}[*])",
              {"exp(f64[1])", "exp(bool[1])"},
              {"exp(e5m2[1])", "exp(int8[1])"}},
        Match{"NamedSets",
              "add.Tensor(unsigned[*], complex[*])",
              {"add(u16[1], bcomplex32[1])"},
              {"add(u8[1], c64[1])", "add(u16[1], f32[1])"}},
        Match{"AnyDType",
              "result_type.Tensor(*[*], integral[*])",
              {"result_type(bits8[1], i8[1])"},
              {"result_type(bits8[], i8[1])", "result_type(bits8[1], bool[1])"}},
        Match{"NumberKinds",
              "add.Tensor(*, number:{int,complex})",
              {"add(int8[1], 2)", "add(int8[1], 1j)", "add(int8[1], 9223372036854775808)"},
              {"add(int8[1], True)", "add(int8[1], 2.5)", "add(int8[1], int8[])"}},
        Match{"AnyNumber", "eq.Scalar(*, number:*)", {"eq(int8[1], True)"}, {"eq(1, int8[1])"}},
        Match{"ExactNumber",
              "add.Tensor(*, {2,2.5})",
              {"add(int8[1], 2)", "add(int8[1], 2.5)"},
              {"add(int8[1], 3)", "add(int8[1], True)"}},
        Match{"DTypeArgument",
              "can_cast({float32,float64}, *)",
              {"can_cast(f64, int8)"},
              {"can_cast(int8, f64)"}},
        Match{"Attribute",
              "div.Tensor_mode(*, *, rounding_mode=\"trunc\")",
              {"div(int8[1], 2, rounding_mode=\"trunc\")"},
              {"div(int8[1], 2, rounding_mode=\"floor\")", "div(int8[1], 2, rounding_mode=None)"}},
        Match{"AttributeLeftFree", "add.Tensor(*, *)", {"add(int8[1], 2, alpha=3)"}, {}},
        Match{"AttributeAbsent",
              "add.Tensor(*, *, alpha=absent)",
              {"add(int8[1], 2)"},
              {"add(int8[1], 2, alpha=1)"}},
        Match{"OptionalOperand",
              "clamp(*, min=number:float, max={None,absent})",
              {"clamp(f32[1], 0.5)", "clamp(f32[1], 0.5, None)"},
              {"clamp(f32[1], 0.5, 1)", "clamp(f32[1], 1)", "clamp(f32[1], max=1)"}},
        Match{"Out",
              "add.out(*, *, out=float16[*])",
              {"add(int8[1], 2, out=f16[1])"},
              {"add(int8[1], 2, out=f32[1])", "add(int8[1], 2)"}},
        Match{"OutOfAnyCallable",
              "*(*, out=float16[*])",
              {"exp(int8[1], out=f16[1])"},
              {"exp(int8[1])", "exp(int8[1], out=f32[1])"}},
        Match{"Default",
              "exp(*) @default={float16,bfloat16}",
              {"exp(int8[1]) @default=float16"},
              {"exp(int8[1])"}},
        Match{"Device", "exp(*) @device=cuda", {"exp(int8[1]) @device=cuda"}, {"exp(int8[1])"}},
        Match{"ValueClass",
              "exp(*, values={special,random})",
              {"exp(int8[1], values=special)"},
              {"exp(int8[1])"}},
        Match{"SpelledValues",
              "add.Tensor(*, *, values={special,spelled})",
              {"add(f32[1]{1}, f32[1]{2})", "add(f32[2]{1,2}, f32[2], values=random)",
               "add(f32[1], 1, values=special)"},
              {"add(f32[1], f32[1])", "add(f32[1], 2)", "add(f32[1], f32[1], values=random)"}},
        Match{"NoSpelledValues",
              "exp(*, values=random)",
              {"exp(f32[1], values=random)"},
              {"exp(f32[1]{1})"}},
        Match{"Undefined",
              "add.Tensor(undefined, *)",
              {"add(undefined, int8[1])"},
              {"add(int8[1], undefined)"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Selector, ARowMatchesWhenOneOfItsCasesDoes) {
  const Plan plan = make_grid("smoke");
  const std::vector<const char*> selectors{
      "add.Tensor(float16[*], complex64[])", "add.Tensor(uint16[*], number:complex)",
      "add.out(*, *, out=bool[*])",          "div.Tensor_mode(*, bool[?], rounding_mode=\"floor\")",
      "add.Tensor(float64[*], *)",           "add.Tensor(*, *) @default=float64"};
  for (const char* text : selectors) {
    const Selector selector(text);
    for (const GridRow& row : plan.rows) {
      bool any = false;
      Case c = row.prototype;
      for (std::int64_t i = 0; i < row.count; ++i) {
        row.decode(i, c);
        any = any || selector.matches(c);
      }
      EXPECT_EQ(selector.matches_any(row), any) << text << " in " << row.line_template();
    }
  }
}

TEST(Selector, IsTheUnionOfItsAlternatives) {
  Selector selector("exp(float16[*])");
  selector.add("log(*)");
  EXPECT_TRUE(selector.matches(parse_case("log(int8[1])")));
  EXPECT_TRUE(selector.matches(parse_case("exp(float16[1])")));
  EXPECT_FALSE(selector.matches(parse_case("exp(int8[1])")));
  EXPECT_FALSE(Selector().matches(parse_case("exp(int8[1])")));
}

struct Fault {
  const char* name;
  const char* text;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.text; }

class MalformedSelector : public testing::TestWithParam<Fault> {};

TEST_P(MalformedSelector, IsAUsageErrorWithItsColumn) {
  const std::string message = usage_error_of([] { Selector selector(GetParam().text); });
  EXPECT_EQ(message.substr(0, std::string(GetParam().message).size()), GetParam().message)
      << message;
}

INSTANTIATE_TEST_SUITE_P(
    Selector, MalformedSelector,
    testing::Values(
        Fault{"Empty", "", "column 1: expected an op, as in add.Tensor(*, *)"},
        Fault{"NoSuchCallable", "mull.*(*)", "column 1: no callable has this name"},
        Fault{"OneOfTheSetIsNone", "{mul,mull}.Tensor(*, *)",
              "column 6: this alternative names no callable that takes these arguments"},
        Fault{"TooManyNames", "mul{,_}{,_}{,_}{,_}{,_}{,_}{,_}{,_}{,_}{,_}(*)",
              "column 4: the braces of a name may mean at most 1000 names"},
        Fault{"UnclosedSet", "{mul(*)", "column 1: this '{' has no '}'"},
        Fault{"WrongNumber", "add.Tensor(*)", "column 1: no callable of this name takes these"},
        Fault{"NoSuchParameter", "add.Tensor(*, *, beta=2)",
              "column 1: no callable of this name takes these"},
        Fault{"OutOfAFunctionalForm", "add.Tensor(*, *, out=*)", "column 1: no callable"},
        Fault{"UnknownDType", "exp(float33[*])", "column 5: unknown dtype 'float33'"},
        Fault{"UnknownKind", "add.Tensor(*, number:real)", "column 22: a kind of number is bool"},
        Fault{"BadSizes", "exp(float32[x])", "column 13: expected a size"},
        Fault{"UnknownValueClass", "exp(*, values=given)", "column 15: a value class is small"},
        Fault{"EllipsisFirst", "add.Tensor(..., *)", "column 17: '...' stands last"},
        Fault{"UnknownSetting", "exp(*) @defaults=*", "column 9: unknown setting '@defaults'"},
        Fault{"TrailingText", "exp(*) x", "column 8: expected @SETTING=VALUE or the end"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(SelectorIndex, GivesEachItemOfACallableOnceAndInOrder) {
  const Selector sums("{add,sub}.Tensor(*, ...)"), in_place("add{,_}.Tensor(*, ...)");
  SelectorIndex index;
  index.add(3, sums);
  index.add(5, in_place);
  index.add(5, sums);
  const auto items = [&index](std::string_view callable) {
    const std::span<const int> found = index.items_of(callable);
    return std::vector<int>(found.begin(), found.end());
  };
  EXPECT_EQ(items("add.Tensor"), (std::vector<int>{3, 5}));
  EXPECT_EQ(items("add_.Tensor"), (std::vector<int>{5}));
  EXPECT_EQ(items("mul.Tensor"), std::vector<int>{});
}

}  // namespace
}  // namespace upcast
