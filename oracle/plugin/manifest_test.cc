#include "oracle/plugin/manifest.h"

#include <gtest/gtest.h>

#include "cases/notation.h"
#include "oracle/testing/usage_error.h"

namespace upcast {
namespace {

std::string why_not(std::string_view manifest, std::string_view line) {
  return std::string(Manifest::parse(manifest).why_not(parse_case(line)));
}

TEST(Manifest, NamesTheImplementation) {
  const Manifest manifest = Manifest::parse(R"({"name": "mine", "version": "1.2", "later": [1]})");
  EXPECT_EQ(manifest.name(), "mine");
  EXPECT_EQ(manifest.version(), "1.2");
}

TEST(Manifest, WhatIsLeftOutIsNotLimited) {
  constexpr auto kAll = R"({"name": "mine", "version": "1"})";
  EXPECT_EQ(why_not(kAll, "add(int8[2], 5)"), "");
  EXPECT_EQ(why_not(kAll, "erf.out(float32[2], out=float32[2])"), "");
  EXPECT_EQ(why_not(kAll, "add(int8[2], 5) @device=cuda"), "no such device: cuda");
}

TEST(Manifest, AnOpIsAllItsOverloadsOrOne) {
  constexpr auto kOps = R"({"name": "mine", "version": "1", "ops": ["add", "mul.Scalar"]})";
  EXPECT_EQ(why_not(kOps, "add.Tensor(int8[2], int8[2])"), "");
  EXPECT_EQ(why_not(kOps, "add.Scalar(int8[2], 2)"), "");
  EXPECT_EQ(why_not(kOps, "mul.Scalar(int8[2], 2)"), "");
  EXPECT_EQ(why_not(kOps, "mul.Tensor(int8[2], int8[2])"), "no such op");
}

TEST(Manifest, AnAliasIsAnOpOfItsOwnSaveWhereAnOpIsAllItsAliases) {
  constexpr auto kOps = R"({"name": "mine", "version": "1", "ops": ["mul", "divide"]})";
  const Case alias = parse_case("multiply.Tensor(int8[2], int8[2])");
  const Manifest apart = Manifest::parse(kOps);
  const Manifest together = Manifest::parse(kOps, Aliases::kTogether);
  EXPECT_EQ(apart.why_not(alias), "no such op");
  EXPECT_EQ(together.why_not(alias), "");
  for (const Manifest& manifest : {apart, together}) {
    EXPECT_EQ(manifest.why_not(parse_case("mul.Tensor(int8[2], int8[2])")), "");
    EXPECT_EQ(manifest.why_not(parse_case("divide.Tensor(int8[2], int8[2])")), "");
    EXPECT_EQ(manifest.why_not(parse_case("div.Tensor(int8[2], int8[2])")), "no such op");
  }
}

TEST(Manifest, FormsAreOfAllOpsAndOfEach) {
  constexpr auto kForms = R"({"name": "mine", "version": "1", "forms": ["functional", "out"],
      "ops": {"add": ["functional", "in_place"], "mul": null}})";
  EXPECT_EQ(why_not(kForms, "add(int8[2], int8[2])"), "");
  EXPECT_EQ(why_not(kForms, "add_(int8[2], int8[2])"), "no such form: in_place");
  EXPECT_EQ(why_not(kForms, "add.out(int8[2], int8[2], out=int8[2])"), "no such form: out");
  EXPECT_EQ(why_not(kForms, "mul.out(int8[2], int8[2], out=int8[2])"), "");
}

TEST(Manifest, HasAnOpWhateverItsDTypes) {
  const Manifest manifest = Manifest::parse(
      R"({"name": "mine", "version": "1", "dtypes": ["float32"], "ops": {"add": ["out"]}})");
  EXPECT_TRUE(manifest.has(parse_case("add.out(int8[2], int8[2], out=int8[2])")));
  EXPECT_FALSE(manifest.has(parse_case("add(float32[2], float32[2])")));
  EXPECT_FALSE(manifest.has(parse_case("mul.out(int8[2], int8[2], out=int8[2])")));
}

TEST(Manifest, DTypesAreThoseOfOperandsAndOfOut) {
  constexpr auto kDTypes = R"({"name": "mine", "version": "1", "dtypes": ["float32", "i64"]})";
  EXPECT_EQ(why_not(kDTypes, "add(int64[2], float32[])"), "");
  EXPECT_EQ(why_not(kDTypes, "add(int64[2], int8[2])"), "no such dtype: int8");
  EXPECT_EQ(why_not(kDTypes, "add.out(int64[2], int64[2], out=int8[2])"), "no such dtype: int8");
  EXPECT_EQ(why_not(kDTypes, "promote_types(int64, int8)"), "no such dtype: int8");
  EXPECT_EQ(why_not(kDTypes, "add(int64[2], True)"), "") << "a number is no tensor";
}

TEST(Manifest, ADefaultDTypeIsOneOfItsDTypesUnlessItIsPyTorchsOwn) {
  constexpr auto kIntegers = R"({"name": "mine", "version": "1", "dtypes": ["int32", "float64"]})";
  EXPECT_EQ(why_not(kIntegers, "add(int32[2], 2.5)"), "");
  EXPECT_EQ(why_not(kIntegers, "add(int32[2], 2.5) @default=float64"), "");
  EXPECT_EQ(why_not(kIntegers, "add(int32[2], int32[2]) @default=float16"),
            "no such dtype: float16");
}

TEST(Manifest, OpsThatAreUnusedAreTold) {
  const Manifest manifest =
      Manifest::parse(R"({"name": "mine", "version": "1", "ops": ["add", "matmul"]})");
  EXPECT_EQ(manifest.unknown_ops(), std::vector<std::string>{"matmul"});
}

struct Wrong {
  std::string_view json;
  std::string_view says;
};
class WrongManifest : public testing::TestWithParam<Wrong> {};

TEST_P(WrongManifest, IsToldByItsKey) {
  const std::string said = usage_error_of([] { Manifest::parse(GetParam().json); });
  EXPECT_NE(said.find(GetParam().says), std::string::npos) << GetParam().json << ": " << said;
}

INSTANTIATE_TEST_SUITE_P(
    Controls, WrongManifest,
    testing::Values(
        Wrong{"", "not a JSON object"}, Wrong{"[1]", "not a JSON object"},
        Wrong{R"({"version": "1"})", "\"name\" must be a text"},
        Wrong{R"({"name": "mine", "version": 1})", "\"version\" must be a text"},
        Wrong{R"({"name": "", "version": "1"})", "\"name\" must be a text"},
        Wrong{R"({"name": "m", "version": "1", "dtypes": ["flot32"]})",
              "\"dtypes\" has 'flot32', which upcast does not know; did you mean "
              "float32?"},
        Wrong{R"({"name": "m", "version": "1", "dtypes": "float32"})", "\"dtypes\" must be a list"},
        Wrong{R"({"name": "m", "version": "1", "forms": ["inplace"]})", "did you mean in_place?"},
        Wrong{R"({"name": "m", "version": "1", "devices": ["tpu"]})", "\"devices\" has 'tpu'"},
        Wrong{R"({"name": "m", "version": "1", "ops": [1]})", "not of 1"},
        Wrong{R"({"name": "m", "version": "1", "ops": {"add": ["all"]}})", "\"ops\" has 'all'"}));

}  // namespace
}  // namespace upcast
