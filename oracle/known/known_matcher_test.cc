// Tests of which entries explain an answer of a path of LibTorch, element by element.
#include "oracle/known/known_matcher.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/known/known_models.h"
#include "oracle/known/known_overlaps.h"
#include "oracle/known/model_values.h"
#include "oracle/testing/fake_sides.h"

namespace upcast {
namespace {

using testing::floats;

/// The text of an entry of known_differences.toml, about exp on the vector paths.
std::string entry(const std::string& id, const std::string& answer, const std::string& klass) {
  return "[[difference]]\nid = '" + id +
         "'\nselect = 'exp(float32[*])'\nkind = 'value'\n"
         "subject = 'libtorch:cpu?capability=native'\nanswer = '" +
         answer + "'\nclass = '" + klass + "'\n" +
         (klass == "bug" ? "witness = 'majority: a, test'\nno_truth = 'a test'\n" : "") +
         "libtorch = '>=2.15'\nreason = 'a test'\nfound = '2026-11-23'\n"
         "case = 'exp(float32[2])'\ntruth = 'float32[2]'\n";
}

/// The id of the entry that explains these elements of the oracle if 1, 1, 1 is right; 0 for none.
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

TEST(KnownMatcher, AModelThatErrsExplainsWhatSharesAPlaceInMemory) {
  // Elements 1 and 2 of the call share a place in memory, and get another value. Element 3 shares
  // none.
  const auto explained_in = [](const char* line, const char* oracle, bool differs_elsewhere) {
    KnownMatcher matcher(load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml"),
                         {parse_side("impl:cpu"), parse_side(oracle), "2.15.0", true});
    const Case c = parse_case(line);
    matcher.enter_alone(c);
    ImplSubject ours;
    const Answer right = answer_of(ours, c);
    Answer wrong = right;
    const std::size_t size = right.bytes.size() / 4;
    for (const std::size_t i : {1, 2}) wrong.bytes[i * size] ^= std::byte{1};
    if (differs_elsewhere) wrong.bytes[3 * size] ^= std::byte{1};
    return matcher.explain(c, VerdictCode::kDifferValue, {.answer = right}, {.answer = wrong}, 1)
        .id;
  };
  const char* const cpu = "libtorch:cpu";
  const char* const native = "libtorch:cpu?capability=native";
  const char* const polynomial =
      "special_hermite_polynomial_h.n_scalar_out(uint8[2,2]{199,9,92,223}, 25, "
      "out=float32[2,2]:strides(1,1))";
  EXPECT_NE(explained_in(polynomial, cpu, false), 0) << "the value of another element";
  const char* const lerp =
      "lerp_.Tensor(float32[2,2]:strides(1,1){0.1,0.7,0.7,0.3}, float32[2,2]{1.3,2.7,-3.1,0.9}, "
      "float32[2,2]{0.3,0.37,0.41,0.2})";
  EXPECT_NE(explained_in(lerp, native, false), 0) << "contracted in each computation";
  EXPECT_EQ(explained_in(lerp, native, true), 0) << "a control: an element that shares nothing";
  EXPECT_EQ(explained_in(lerp, cpu, false), 0) << "a control: nothing contracts there";
  const char* const sum =
      "add_.Tensor(float32[2,2]:strides(1,1){1,2,2,3}, float32[2,2]{10,20,30,40})";
  EXPECT_EQ(explained_in(sum, cpu, false), 0)
      << "a control: entries name add_, and it errs in none";
  EXPECT_EQ(explained_in(sum, native, false), 0) << "a control: there is no product to contract";
}

TEST(KnownMatcher, AValueMayStandInElementsOfWhatAnotherEntryComputes) {
  // softshrink's model rounds lambd to 65536. The vector code gives +0 for small elements, which
  // another entry declares.
  const Case c = parse_case("softshrink(bfloat16[3]{-1,-70144,-1}, lambd=65504.0)");
  ImplSubject ours;
  const Answer right = answer_of(ours, c);
  const auto explained_by = [&](std::vector<float> oracle) {
    KnownMatcher matcher(load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml"),
                         {parse_side("impl:cpu"), parse_side("libtorch:cpu"), "2.15.0", true});
    matcher.enter_alone(c);
    Answer wrong = right;
    wrong.bytes = models::cast(DType::kFloat32, models::bytes_of(oracle), DType::kBFloat16);
    return matcher.explain(c, VerdictCode::kDifferValue, {.answer = right}, {.answer = wrong}, 1)
        .id;
  };
  EXPECT_NE(explained_by({-0.0F, -4608, -0.0F}), 0) << "the number alone";
  EXPECT_NE(explained_by({0, -4640, 0}), 0) << "the zeros alone";
  EXPECT_EQ(explained_by({0, -4608, 0}), explained_by({-0.0F, -4608, -0.0F})) << "the model's";
  EXPECT_EQ(explained_by({0, -4512, 0}), 0) << "the control: neither";
  EXPECT_EQ(explained_by({1, -4608, 0}), 0) << "the control: another value";
}

TEST(KnownMatcher, AgainstTheTruthAModelIsHeldToItsOwnDigits) {
  const Case c = parse_case("special_bessel_j0(float32[1]{2.4048})");
  ImplSubject ours;
  const Answer right = answer_of(ours, c);
  const auto explained = [&](const Answer& wrong) {
    KnownMatcher matcher(load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml"),
                         {parse_side("libtorch:cpu"), parse_side("truth"), "2.15.0", true});
    matcher.enter_alone(c);
    return matcher.explain(c, VerdictCode::kDifferValue, {.answer = wrong}, {.answer = right}, 1)
        .id;
  };
  const std::optional<Answer> by_model =
      find_known_model("bessel_without_leading_ones")->answer(c, right);
  ASSERT_TRUE(by_model);
  EXPECT_NE(explained(*by_model), 0);
  Answer nearby = *by_model;
  // 256 steps away, which is far less than an ulp of the op's scale.
  nearby.bytes[1] ^= std::byte{1};
  EXPECT_EQ(explained(nearby), 0);
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
