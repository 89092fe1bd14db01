// Tests that a planted fault in any one of the ways of asking is noticed.
#include "fuzz/self_consistency.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/notation.h"
#include "impl/core/temporary_folder.h"
#include "oracle/impl_subject.h"
#include "oracle/modules/emulated_subject.h"
#include "oracle/planted/planted_bugs.h"

namespace upcast::fuzz {
namespace {

/// A faulty subject: its dtype is wrong whenever no values are computed.
class WrongMeta : public Subject {
 public:
  void answer(const Case& c, Answer& answer) override {
    meta_->answer(c, answer);
    answer.dtype = DType::kInt8;
  }

 private:
  std::unique_ptr<Subject> meta_ = make_subject("impl:meta");
};

std::unique_ptr<Subject> make_wrong_meta(const Side&) { return std::make_unique<WrongMeta>(); }

/// The sides of a test. The checks `strided` and `alone` ask one implementation twice: both answers
/// come from `own`.
SelfConsistency::Names names(const std::string& own = "impl:cpu") {
  return {.own = own,
          .baseline = "impl:cpu",
          .emulated = "impl:cpu",
          .our_meta = "impl:meta",
          .their_meta = "impl:meta"};
}

/// The names of the checks that find a fault in a case, after each check has been made.
std::set<std::string> failing_checks(const SelfConsistency::Names& names, const char* line) {
  const TemporaryFolder folder;
  std::set<std::string> checks;
  {
    FindingLog log("elementwise", folder.path());
    InProcess sides(names.own, names.own, nullptr, log);
    SelfConsistency self(sides, names);
    const Case c = parse_case(line);
    constexpr std::uint64_t kElements = 5;
    for (std::uint64_t i = 0; i < kElements * SelfConsistency::kSample * SelfConsistency::kWays;
         ++i) {
      sides.examine(c);
      self.examine(c);
    }
  }
  std::ifstream lines(folder / kFindingsFile);
  for (std::string row; std::getline(lines, row);)
    checks.insert(nlohmann::json::parse(row).at("check").get<std::string>());
  return checks;
}

using Checks = std::set<std::string>;
constexpr const char* kLine = "neg(float64[5]{1,2,3,4,5})";
constexpr const char* kTail = "planted?bug=tail-behind-4-in-float64";

class SelfConsistencyTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    register_emulated_subject();
    register_planted_subjects();
    register_subject("wrong-meta", &make_wrong_meta);
  }
};

TEST_F(SelfConsistencyTest, HoldsOfOurs) {
  EXPECT_EQ(failing_checks(names(), kLine), Checks{}) << "one implementation under five names";
  SelfConsistency::Names own;
  own.their_meta = own.our_meta;
  EXPECT_EQ(failing_checks(own, kLine), Checks{}) << "its real ways";
}

TEST_F(SelfConsistencyTest, ATailThatIsWrongDiffersFromItsElementsAlone) {
  SelfConsistency::Names broken = names(kTail);
  broken.baseline = broken.emulated = kTail;  // wrong alike
  EXPECT_EQ(failing_checks(broken, kLine), Checks{"alone"});
}

TEST_F(SelfConsistencyTest, StridesThatAreWrongDifferFromNone) {
  SelfConsistency::Names broken = names("planted?bug=a-step-runs-backwards");
  EXPECT_EQ(failing_checks(broken, kLine), Checks{"strided"});
}

TEST_F(SelfConsistencyTest, OtherKernelsAreHeldAgainstOurs) {
  SelfConsistency::Names broken = names();
  broken.baseline = kTail;
  EXPECT_EQ(failing_checks(broken, kLine), Checks{"baseline"});
  broken = names();
  broken.emulated = kTail;
  EXPECT_EQ(failing_checks(broken, kLine), Checks{"emulated"});
}

TEST_F(SelfConsistencyTest, TheMetaDevicesAreHeldAgainstEachOther) {
  SelfConsistency::Names broken = names();
  broken.our_meta = "wrong-meta";
  EXPECT_EQ(failing_checks(broken, kLine), Checks{"meta"});
  broken = names();
  broken.their_meta = "wrong-meta";
  EXPECT_EQ(failing_checks(broken, kLine), Checks{"meta"});
}

}  // namespace
}  // namespace upcast::fuzz
