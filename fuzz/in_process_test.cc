// Tests of what a campaign logs of a difference.
#include "fuzz/in_process.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases/notation.h"
#include "impl/core/temporary_folder.h"
#include "oracle/impl_subject.h"
#include "oracle/libtorch/register.h"
#include "oracle/modules/emulated_subject.h"
#include "oracle/truth/arbitrate.h"

namespace upcast::fuzz {
namespace {

/// Base of tests with a case, a right and a wrong answer to it, and sides that log what they find.
class WrittenFindings : public ::testing::Test {
 protected:
  WrittenFindings() {
    make_subject("impl:cpu")->answer(case_, right_.answer);
    wrong_ = right_;
    wrong_.answer.bytes[0] = std::byte{7};
  }

  std::vector<nlohmann::json> rows() const {
    std::vector<nlohmann::json> found;
    std::ifstream lines(folder_ / kFindingsFile);
    for (std::string line; std::getline(lines, line);) found.push_back(nlohmann::json::parse(line));
    return found;
  }

  const Case case_ = parse_case("neg(int8[1]{1})");
  Reply right_, wrong_;
  TemporaryFolder folder_;
  FindingLog log_{"elementwise", folder_.path()};
  InProcess sides_{"impl:cpu", "impl:cpu", nullptr, log_};
};

TEST_F(WrittenFindings, EachCheckHasItsOwnWithItsSides) {
  constexpr Sides kOurs{Implementation::kOurs, Implementation::kOurs, false};
  sides_.judge_replies(case_, wrong_, right_, kOurs,
                       {"baseline", "impl:cpu?capability=baseline", "impl:cpu"});
  sides_.judge_replies(case_, wrong_, right_, kOurs, {"alone", "impl:cpu", "libtorch:cpu"});
  sides_.judge_replies(case_, wrong_, right_, kOurs, {"alone", "impl:cpu", "libtorch:cpu"});
  const std::vector<nlohmann::json> rows = this->rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("check"), "baseline");
  EXPECT_EQ(rows[0].at("subject_side"), "impl:cpu?capability=baseline");
  EXPECT_EQ(
      rows[0].at("command"),
      "upcast run 'neg(int8[1]{1})' --subject 'impl:cpu?capability=baseline' --oracle 'impl:cpu'");
  EXPECT_EQ(rows[1].at("check"), "alone");
  EXPECT_NE(rows[0].at("hash"), rows[1].at("hash"));
}

/// Our implementation with a planted bug: the first element of a float16 result is 1.
class OffSubject : public ImplSubject {
 public:
  void answer(const Case& c, Answer& answer) override {
    ImplSubject::answer(c, answer);
    if (answer.dtype != DType::kFloat16 || answer.bytes.size() < 2) return;
    answer.bytes[0] = std::byte{0};
    answer.bytes[1] = std::byte{0x3c};
  }
};

std::unique_ptr<Subject> make_off(const Side&) { return std::make_unique<OffSubject>(); }

Progress examined(const std::string& subject, Arbiter arbiter, const std::string& line) {
  FindingLog log("elementwise", "");
  InProcess sides(subject, "libtorch:cpu", nullptr, log);
  sides.set_arbiter(arbiter);
  sides.examine(parse_case(line));
  return log.progress;
}

/// LibTorch rounds alpha * other to float16, which the known difference
/// add-rounds-alpha-times-other declares. It must not excuse a subject that is wrong itself.
TEST(InProcess, AKnownDifferenceExplainsNoSubjectThatIsOff) {
  register_libtorch_subjects();
  register_emulated_subject();
  register_subject("off", &make_off);
  const std::string line = "add.Tensor(float16[1]{65504}, float16[1]{-65504}, alpha=2)";
  const Progress right = examined("impl:cpu", &truth::arbitrate, line);
  EXPECT_EQ(right.known, 1);
  EXPECT_EQ(right.findings, 0);
  const Progress off = examined("off", &truth::arbitrate, line);
  EXPECT_EQ(off.known, 0);
  EXPECT_EQ(off.findings, 1);
  EXPECT_EQ(examined("off", nullptr, line).known, 1) << "it is the truth that notices";
}

TEST(InProcess, OfAnEntrysManyCasesSomeAreRuled) {
  register_libtorch_subjects();
  register_emulated_subject();
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

TEST_F(WrittenFindings, AreNotWhatIsWithinBothBounds) {
  const auto judge_with = [&](Arbiter arbiter) {
    sides_.set_arbiter(arbiter);
    sides_.judge_replies(case_, wrong_, right_, {}, {"oracle", "impl:cpu", "impl:cpu"});
  };
  judge_with([](const Case&, const Answer&, const Answer&, Sides) {
    return Ruling{.outcome = Ruling::Outcome::kBothAreRight};
  });
  EXPECT_EQ(log_.progress.both_right, 1);
  EXPECT_EQ(log_.progress.findings, 0);
  judge_with([](const Case&, const Answer&, const Answer&, Sides) { return Ruling{}; });
  EXPECT_EQ(log_.progress.both_right, 1);
  EXPECT_EQ(log_.progress.findings, 1);
}

TEST_F(WrittenFindings, SayWhoIsOff) {
  sides_.judge_replies(case_, wrong_, right_, {}, {"oracle", "impl:cpu", "impl:cpu"});
  ASSERT_EQ(rows().size(), 1U);
  const std::string detail = rows()[0].at("detail");
  EXPECT_NE(detail.find("truth of element 0 -1: the subject is off"), std::string::npos) << detail;
}

}  // namespace
}  // namespace upcast::fuzz
