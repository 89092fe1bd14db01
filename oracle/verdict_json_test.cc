#include "oracle/verdict_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

using Json = nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Verdict of_value() {
  Verdict verdict{.code = VerdictCode::kKnown, .found = VerdictCode::kDifferValue};
  verdict.values_judged = 6;
  verdict.max_ulp = kInfinity;
  verdict.difference = {.what = Difference::What::kElement,
                        .result = 1,
                        .element = 4,
                        .dtype = DType::kBFloat16,
                        .subject = "1.0078125",
                        .oracle = "nan",
                        .ulp = kInfinity,
                        .allowed = 0.51,
                        .steps = 3};
  verdict.ruling = {.outcome = Ruling::Outcome::kOracleIsOff,
                    .result = 1,
                    .element = 4,
                    .truth = "1.0078125",
                    .subject_ulp = 0.25,
                    .oracle_ulp = kInfinity,
                    .subject_bound = 0.5,
                    .oracle_bound = 2};
  verdict.asked = {
      .what = Difference::What::kElement, .element = 3, .subject = "1", .oracle = "nan"};
  verdict.witnesses = {{"python:numpy", "float32[1]{1}", "1", Vote::kSubject},
                       {"python:jax", "timeout"}};
  verdict.alone = Alone::kOracle;
  return verdict;
}

std::vector<Verdict> some_verdicts() {
  std::vector<Verdict> verdicts{{}, of_value()};
  for (int i = 1; i < static_cast<int>(kNotJudgedNames.size()); ++i) {
    verdicts.push_back({.code = VerdictCode::kNotJudged, .found = VerdictCode::kNotJudged});
    verdicts.back().not_judged = static_cast<NotJudged>(i);
    verdicts.back().why = "no such op";
  }
  for (int i = 0; i < static_cast<int>(kWhatNames.size()); ++i) {
    verdicts.push_back({.code = VerdictCode::kDifferShape, .found = VerdictCode::kDifferShape});
    verdicts.back().difference = {.what = static_cast<Difference::What>(i), .subject = "[2]"};
  }
  for (int i = 1; i < static_cast<int>(kOutcomeNames.size()); ++i)
    verdicts.emplace_back().ruling = {.outcome = static_cast<Ruling::Outcome>(i),
                                      .why = "no truth"};
  for (int i = 0; i < static_cast<int>(kWantedNames.size()); ++i) {
    verdicts.push_back({.code = VerdictCode::kExpectation});
    verdicts.back().unmet = {{.who = Role::kBoth,
                              .wanted = static_cast<Unmet::Wanted>(i),
                              .expected = "int32",
                              .answer = "float32[1]{2}",
                              .difference = of_value().difference},
                             {.who = Role::kOracle}};
  }
  verdicts.push_back({.code = VerdictCode::kCrash, .found = VerdictCode::kCrash});
  verdicts.back().deaths = {{Role::kSubject, "crash(SIGFPE)", "said so"},
                            {Role::kJudge, "timeout"}};
  return verdicts;
}

TEST(VerdictJson, ComesBackFromTextAsItWas) {
  for (const Verdict& verdict : some_verdicts()) {
    const std::string text = Json(verdict).dump();
    const auto read = Json::parse(text).get<Verdict>();
    EXPECT_EQ(read, verdict) << text;
    EXPECT_EQ(sentence(read), sentence(verdict));
    Verdict other = verdict;  // the control
    other.values_judged += 1;
    EXPECT_NE(read, other);
  }
}

TEST(VerdictJson, NamesItsFieldsAndLeavesOutDefaults) {
  EXPECT_EQ(Json(Verdict{}).dump(), R"({"code":"agree","found":"agree"})");
  const Json json = of_value();
  EXPECT_EQ(json.at("difference").at("ulp"), "Infinity");
  EXPECT_EQ(json.at("difference").at("dtype"), "bfloat16");
  EXPECT_EQ(json.at("ruling").at("outcome"), "oracle_is_off");
  EXPECT_EQ(json.at("witnesses").at(0).at("side"), "python:numpy");
  EXPECT_EQ(json.at("witnesses").at(0).at("with"), "subject");
  EXPECT_EQ(json.at("asked").at("element"), 3);
  EXPECT_EQ(json.at("alone"), "oracle");
  EXPECT_FALSE(json.contains("deaths"));
}

TEST(VerdictJson, RefusesANameThatItDoesNotKnow) {
  Json json = of_value();
  json["ruling"]["outcome"] = "unknown_outcome";
  EXPECT_THROW((void)json.get<Verdict>(), UsageError);
  json = of_value();
  json["difference"]["dtype"] = "float7";
  EXPECT_THROW((void)json.get<Verdict>(), UsageError);
}

TEST(VerdictText, TellsEveryPart) {
  EXPECT_EQ(sentence(Verdict{}), "");
  EXPECT_EQ(
      sentence(of_value()),
      "element 4 of result 2: 1.0078125 against nan, inf ulp of bfloat16, 3 steps, allowed "
      "0.51; truth of element 4 of result 2 1.0078125: the oracle is off (subject 0.25 ulp, "
      "oracle the wrong value); the oracle stands alone: 1 of 1 witnesses are with the subject");
  EXPECT_EQ(sentence(Ruling{.outcome = Ruling::Outcome::kUndecided, .why = "no truth"}),
            "who is right is undecided: no truth");
  EXPECT_EQ(sentence(Ruling{
                .outcome = Ruling::Outcome::kBothAreRight, .subject_ulp = 0.25, .oracle_ulp = 1.5}),
            "both are right: subject 0.25 ulp, oracle 1.5 ulp, each within its bound");
  EXPECT_EQ(sentence(Death{Role::kOracle, "crash(SIGFPE)", "said so"}),
            "oracle: crash(SIGFPE), said so");
  EXPECT_EQ(sentence(Death{Role::kJudge, "timeout"}), "judge (our own code): timeout");
  EXPECT_EQ(sentence(Unmet{.who = Role::kBoth,
                           .wanted = Unmet::Wanted::kDType,
                           .expected = "int32",
                           .answer = "float32[1]{2}"}),
            "both answer float32[1]{2}: the line expects int32");
  const Verdict not_judged{.code = VerdictCode::kNotJudged,
                           .not_judged = NotJudged::kMachineDecides,
                           .why = "integer-division-by-zero"};
  EXPECT_TRUE(sentence(not_judged)
                  .starts_with("the machine decides every value: an integer division by zero"));
  Verdict asked = of_value();
  EXPECT_EQ(asked_text(*asked.asked), "element 3: 1 against nan");
  asked.alone = Alone::kNeither;
  EXPECT_EQ(alone_text(asked),
            "no side stands alone: of 1 witnesses 1 is with the subject, 0 with the oracle, 0 with "
            "both, 0 with neither");
  asked.witnesses[0].with = Vote::kSilent;
  EXPECT_EQ(alone_text(asked), "no witness says anything about it");
  EXPECT_EQ(alone_text(Verdict{}), "");
  const Verdict two{.deaths = {{Role::kSubject, "timeout"}, {Role::kOracle, "crash(SIGFPE)"}}};
  EXPECT_EQ(sentence(two), "subject: timeout; oracle: crash(SIGFPE)");
}

}  // namespace
}  // namespace upcast
