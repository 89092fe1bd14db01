// Which entries explain what a path of LibTorch answers, element by element.
#include "oracle/known/known_matcher.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases/notation.h"
#include "oracle/known/known_overlaps.h"
#include "oracle/testing/fake_sides.h"

namespace upcast {
namespace {

using testing::floats;

/// An entry about exp on the vector paths.
std::string entry(const std::string& id, const std::string& answer, const std::string& klass) {
  return "[[difference]]\nid = '" + id +
         "'\nselect = 'exp(float32[*])'\nkind = 'value'\n"
         "subject = 'libtorch:cpu?capability=native'\nanswer = '" +
         answer + "'\nclass = '" + klass + "'\n" +
         (klass == "bug" ? "witness = 'majority: a, test'\nno_truth = 'a test'\n" : "") +
         "libtorch = '>=2.15'\nreason = 'a test'\nfound = '2026-11-23'\n"
         "case = 'exp(float32[2])'\ntruth = 'float32[2]'\n";
}

/// The id of the entry that explains what the oracle says where 1, 1, 1 is right; 0 for none.
int explained(const std::string& toml, const std::vector<float>& oracle) {
  KnownMatcher matcher(
      parse_known_differences(toml, "known.toml"),
      {parse_side("impl:cpu"), parse_side("libtorch:cpu?capability=native"), "2.15.0", true});
  const Case c = parse_case("exp(float32[3])");
  matcher.enter_alone(c);
  return matcher
      .explain(c, VerdictCode::kDifferValue, {.answer = floats({1, 1, 1})},
               {.answer = floats(oracle)}, 1)
      .id;
}

TEST(KnownMatcher, SeveralEntriesMayExplainAnElementEach) {
  const std::string both = entry("body", "-1", "bug") + entry("tail", "-2", "by_design");
  EXPECT_EQ(explained(both, {-1, 1, -1}), 1);
  EXPECT_EQ(explained(both, {1, -2, 1}), 2);
  EXPECT_EQ(explained(both, {-1, -2, 1}), 1) << "the first is told";
  EXPECT_EQ(explained(both, {-1, -2, -3}), 0) << "the control: an element that nothing explains";
}

TEST(KnownMatcher, OnlyABugExplainsAContradictionInKindOfPaths) {
  EXPECT_EQ(explained(entry("a", "inf", "by_design"), {INFINITY, 1, 1}), 0);
  EXPECT_EQ(explained(entry("a", "inf", "bug"), {INFINITY, 1, 1}), 1);
  EXPECT_EQ(explained(entry("a", "2", "by_design"), {2, 1, 1}), 1);
  const std::string both = entry("a", "inf", "by_design") + entry("b", "-1", "bug");
  EXPECT_EQ(explained(both, {INFINITY, -1, 1}), 0) << "nor does it where several explain";
}

TEST(KnownMatcher, AnEntryExplainsWhatSharesAPlaceInMemory) {
  std::string toml = entry("a", "-1", "by_design");
  toml.replace(toml.find("exp("), 4, "exp.out(");
  KnownMatcher matcher(
      parse_known_differences(toml, "known.toml"),
      {parse_side("impl:cpu"), parse_side("libtorch:cpu?capability=native"), "2.15.0", true});
  const auto explained_in = [&](const char* line, const std::vector<float>& oracle) {
    const Case c = parse_case(line);
    matcher.enter_alone(c);
    Answer right = floats({1, 1, 1, 1}), wrong = floats(oracle);
    right.sizes = wrong.sizes = {2, 2};
    right.strides = wrong.strides = {2, 1};
    return matcher.explain(c, VerdictCode::kDifferValue, {.answer = right}, {.answer = wrong}, 1)
        .id;
  };
  const char* const shared = "exp.out(float32[2,2], out=float32[2,2]:strides(1,1))";
  EXPECT_EQ(explained_in(shared, {1, 3, 3, 1}), 1) << "the value of another element";
  EXPECT_EQ(explained_in(shared, {1, 3, 3, 2}), 0) << "an element that shares nothing differs";
  EXPECT_EQ(explained_in("exp.out(float32[2,2], out=float32[2,2])", {1, 3, 3, 1}), 0);
}

TEST(KnownMatcher, TwinsOfOneModelDoNotOverlap) {
  GridRow row;
  row.prototype = parse_case("exp(float32[3])");
  row.count = 1;
  Plan plan;
  plan.rows = {row};
  const auto overlaps = [&](const std::string& a, const std::string& b) {
    return find_overlaps(plan, parse_known_differences(a + b, "known.toml")).size();
  };
  EXPECT_EQ(overlaps(entry("a", "2", "by_design"), entry("b", "2", "bug")), 0U);
  EXPECT_EQ(overlaps(entry("a", "2", "by_design"), entry("b", "3", "bug")), 1U);
  EXPECT_EQ(overlaps(entry("a", "2", "bug"), entry("b", "2", "bug")), 1U);
}

}  // namespace
}  // namespace upcast
