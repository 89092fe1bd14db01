// What a campaign writes down of a difference.
#include "fuzz/in_process.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/libtorch/register.h"
#include "oracle/truth/arbitrate.h"

namespace upcast::fuzz {
namespace {

TEST(InProcess, EachCheckHasItsOwnFindingWithItsSides) {
  std::string pattern = ::testing::TempDir() + "/upcast-in-process-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  FindingLog log("elementwise", folder);
  InProcess sides("impl:cpu", "impl:cpu", nullptr, log);
  const Case c = parse_case("neg(int8[1]{1})");
  Reply right;
  make_subject("impl:cpu")->answer(c, right.answer);
  Reply wrong = right;
  wrong.answer.bytes[0] = std::byte{7};
  constexpr Sides kOurs{Implementation::kOurs, Implementation::kOurs, false};
  sides.judge_replies(c, wrong, right, kOurs,
                      {"baseline", "impl:cpu?capability=baseline", "impl:cpu"});
  sides.judge_replies(c, wrong, right, kOurs, {"alone", "impl:cpu", "libtorch:cpu"});
  sides.judge_replies(c, wrong, right, kOurs, {"alone", "impl:cpu", "libtorch:cpu"});
  std::vector<nlohmann::json> rows;
  std::ifstream lines(folder + "/" + std::string(kFindingsFile));
  for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("check"), "baseline");
  EXPECT_EQ(rows[0].at("subject_side"), "impl:cpu?capability=baseline");
  EXPECT_EQ(
      rows[0].at("command"),
      "upcast run 'neg(int8[1]{1})' --subject 'impl:cpu?capability=baseline' --oracle 'impl:cpu'");
  EXPECT_EQ(rows[1].at("check"), "alone");
  EXPECT_NE(rows[0].at("hash"), rows[1].at("hash"));
  std::filesystem::remove_all(folder);
}

/// Ours, save that the first element of a float16 result is 1.
class OffSubject : public ImplSubject {
 public:
  void answer(const Case& c, Answer& answer) override {
    ImplSubject::answer(c, answer);
    if (answer.dtype != DType::kFloat16 || answer.bytes.size() < 2) return;
    answer.bytes[0] = std::byte{0};
    answer.bytes[1] = std::byte{0x3c};
  }
};

std::unique_ptr<Subject> make_off(std::string_view) { return std::make_unique<OffSubject>(); }

Progress examined(const std::string& subject, Arbiter arbiter, const std::string& line) {
  FindingLog log("elementwise", "");
  InProcess sides(subject, "libtorch:cpu", nullptr, log);
  sides.set_arbiter(arbiter);
  sides.examine(parse_case(line));
  return log.progress;
}

/// LibTorch rounds alpha * other to float16, which add-rounds-alpha-times-other declares.
TEST(InProcess, AKnownDifferenceExplainsNoSubjectThatIsOff) {
  register_libtorch_subjects();
  register_subject("off", &make_off);
  const std::string line = "add.Tensor(float16[1]{65504}, float16[1]{-65504}, alpha=2)";
  const Progress right = examined("impl:cpu", &truth::rule, line);
  EXPECT_EQ(right.known, 1);
  EXPECT_EQ(right.findings, 0);
  const Progress off = examined("off", &truth::rule, line);
  EXPECT_EQ(off.known, 0);
  EXPECT_EQ(off.findings, 1);
  EXPECT_EQ(examined("off", nullptr, line).known, 1) << "it is the truth that notices";
}

TEST(InProcess, OfAnEntrysManyCasesSomeAreRuled) {
  register_libtorch_subjects();
  register_subject("off", &make_off);
  FindingLog log("elementwise", "");
  InProcess sides("off", "libtorch:cpu", nullptr, log);
  const Case c = parse_case("add.Tensor(float16[1]{65504}, float16[1]{-65504}, alpha=2)");
  constexpr std::int64_t kAlways = KnownMatcher::kAlwaysRuled;
  for (std::int64_t i = 0; i < kAlways; ++i) sides.examine(c);
  EXPECT_EQ(log.progress.findings, kAlways);
  for (std::int64_t i = 0; i < kAlways; ++i) sides.examine(c);
  EXPECT_GT(log.progress.findings, kAlways) << "some of the later ones too";
  EXPECT_GT(log.progress.known, kAlways / 2) << "most are not";
}

TEST(InProcess, WhatIsWithinBothBoundsIsNoFinding) {
  const auto findings = [](Arbiter arbiter) {
    FindingLog log("elementwise", "");
    InProcess sides("impl:cpu", "impl:cpu", nullptr, log);
    sides.set_arbiter(arbiter);
    Reply right;
    const Case c = parse_case("neg(int8[1]{1})");
    make_subject("impl:cpu")->answer(c, right.answer);
    Reply other = right;
    other.answer.bytes[0] = std::byte{7};
    sides.judge_replies(c, other, right, {}, {"oracle", "impl:cpu", "impl:cpu"});
    EXPECT_EQ(log.progress.both_right + log.progress.findings, 1);
    return log.progress.findings;
  };
  EXPECT_EQ(findings([](const Case&, const Answer&, const Answer&, Sides) {
              return Ruling{.both_are_right = true};
            }),
            0);
  EXPECT_EQ(findings([](const Case&, const Answer&, const Answer&, Sides) { return Ruling{}; }), 1);
}

TEST(InProcess, AFindingSaysWhoIsOff) {
  std::string pattern = ::testing::TempDir() + "/upcast-in-process-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  FindingLog log("elementwise", folder);
  InProcess sides("impl:cpu", "impl:cpu", nullptr, log);
  const Case c = parse_case("neg(int8[1]{1})");
  Reply right;
  make_subject("impl:cpu")->answer(c, right.answer);
  Reply wrong = right;
  wrong.answer.bytes[0] = std::byte{7};
  sides.judge_replies(c, wrong, right, {}, {"oracle", "impl:cpu", "impl:cpu"});
  std::ifstream lines(folder + "/" + std::string(kFindingsFile));
  const nlohmann::json row = nlohmann::json::parse(lines);
  EXPECT_NE(row.at("detail").get<std::string>().find("truth of element 0 -1: the subject is off"),
            std::string::npos)
      << row.at("detail");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace upcast::fuzz
