// Tests of upcast laws, with controls: sides that break a law on purpose.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

using Json = nlohmann::json;

Json json_of(const CommandResult& result) { return Json::parse(result.out); }

TEST(LawsCommand, HoldsASideToTheLawsOfSomeOps) {
  const CommandResult result =
      run_upcast({"laws", "--side", "impl:cpu", "--ops", "mul,logical_or,maximum", "--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = json_of(result);
  EXPECT_EQ(json.at("side"), "impl:cpu");
  EXPECT_EQ(json.at("laws").size(), 5U);
  for (const Json& law : json.at("laws")) EXPECT_GT(law.at("binding"), 0) << law;
  EXPECT_TRUE(json.at("unexplained").empty());
}

TEST(LawsCommand, NamesTheIdentityThatAPlantedMistakeBreaks) {
  const CommandResult result =
      run_upcast({"laws", "siblings", "--side", "planted?bug=logical-or-is-xor", "--ops",
                  "logical_or", "--json", "-"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json json = json_of(result);
  ASSERT_FALSE(json.at("unexplained").empty());
  const Json& first = json.at("unexplained").at(0);
  EXPECT_EQ(first.at("kind"), "value");
  EXPECT_TRUE(first.at("identity").get<std::string>().find("logical_or") != std::string::npos);
  EXPECT_NE(result.err.find(first.at("witness").get<std::string>()), std::string::npos);
}

TEST(LawsCommand, ACrashIsAFindingAndTheRunGoesOn) {
  const CommandResult result =
      run_upcast({"laws", "siblings", "--side", "dying?SIGFPE=absolute(int8[2])", "--ops", "abs",
                  "--json", "-"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json json = json_of(result);
  ASSERT_EQ(json.at("unexplained").size(), 1U) << json.at("unexplained");
  EXPECT_EQ(json.at("unexplained").at(0).at("kind"), "crash");
  EXPECT_EQ(json.at("unexplained").at(0).at("answer"), "crash(SIGFPE)");
}

TEST(LawsCommand, SaysWhatIsWrongWithItsArguments) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"laws", "casts"},
                                                    {"laws", "--ops", "ad"},
                                                    {"laws", "--side", "nobody"}}) {
    const CommandResult result = run_upcast(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_FALSE(result.err.empty());
  }
}

}  // namespace
}  // namespace upcast::tools::testing
