#include "reports/html/reasons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "impl/core/temporary_folder.h"
#include "reports/html/html_report.h"
#include "reports/html/markup.h"
#include "reports/testing/synthetic_store.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

const testing::SyntheticOptions kPlugin{
    .binary_ops = 40, .unary_ops = 60, .dtypes = 8, .four_defaults = false, .plugin_ops = 24};

class Reasons : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_synthetic_store(path_, testing::synthetic_plan(kPlugin), kPlugin);
    store_.emplace(RunStore::open(path_));
    data_ = fold_run({&*store_});
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "run.db";
  std::optional<RunStore> store_;
  RunData data_;
};

TEST_F(Reasons, HoldEachFailureOnceTheMostSevereFirst) {
  const std::vector<Reason> reasons = reasons_of(data_);
  ASSERT_GT(reasons.size(), 3u);
  int64_t cases = 0;
  size_t groups = 0;
  for (size_t i = 0; i < reasons.size(); ++i) {
    int64_t sum = 0;
    for (const FailureGroup* group : reasons[i].groups) {
      EXPECT_EQ(group->verdict, reasons[i].verdict);
      sum += group->count;
    }
    EXPECT_EQ(sum, reasons[i].count);
    cases += sum;
    groups += reasons[i].groups.size();
    if (i == 0) continue;
    EXPECT_GE(severity(reasons[i - 1].verdict), severity(reasons[i].verdict));
    EXPECT_NE(reasons[i - 1].sentence, reasons[i].sentence);
  }
  EXPECT_EQ(cases, data_.summary.counts.unexplained);
  EXPECT_EQ(groups, data_.failures.size());
  EXPECT_LT(reasons.size(), data_.failures.size()) << "control: some have a reason in common";
}

TEST_F(Reasons, FailingOpsAreRankedBySeverityThenCount) {
  const std::vector<FailingOp> ops = failing_ops(data_);
  ASSERT_GT(ops.size(), 10u);
  bool is_by_count_alone = true;
  for (size_t i = 0; i < ops.size(); ++i) {
    EXPECT_EQ(ops[i].worst->op, ops[i].op->name);
    EXPECT_EQ(ops[i].verdicts.front(), ops[i].worst->verdict);
    EXPECT_EQ(ops[i].verdicts.front(), ops[i].op->counts.worst());
    if (i == 0) continue;
    const auto rank = [&](size_t at) {
      return std::pair(-severity(ops[at].worst->verdict), -ops[at].op->counts.unexplained);
    };
    EXPECT_LE(rank(i - 1), rank(i)) << ops[i].op->name;
    is_by_count_alone &= ops[i - 1].op->counts.unexplained >= ops[i].op->counts.unexplained;
  }
  EXPECT_FALSE(is_by_count_alone) << "control";
}

TEST_F(Reasons, OpsThatTheSubjectLacksHaveOneLine) {
  const auto found = std::find_if(data_.not_judged.begin(), data_.not_judged.end(),
                                  [](const auto& group) { return group.reason == "no such op"; });
  ASSERT_NE(found, data_.not_judged.end());
  EXPECT_EQ(found->ops.size(), 76u);
  EXPECT_EQ(found->ops.size() + 24, data_.ops.size());
  EXPECT_LE(data_.not_judged.size(), 3u);
  const std::string page = render_html({.stores = {path_}});
  EXPECT_NE(page.find("in 76 ops: "), std::string::npos);
}

// For values that differ, the first record of a group tells what its cases have in common.
TEST(ReasonSentence, TellsValuesApart) {
  Summary summary;
  summary.subject = "plugin:/builds/7/libmine.so";
  summary.oracle = "libtorch:cpu";
  summary.environment["subject.name"] = "mine 1.0";
  FailureGroup group;
  group.verdict = VerdictCode::kDifferValue;
  EXPECT_EQ(reason_sentence(group, summary), "values differ") << "no record";
  const auto with = [&](const char* subject, const char* oracle, double ulp,
                        DType dtype = DType::kFloat32) {
    group.record.verdict.difference = Difference{.what = Difference::What::kElement,
                                                 .dtype = dtype,
                                                 .subject = subject,
                                                 .oracle = oracle,
                                                 .ulp = ulp};
    return reason_sentence(group, summary);
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(with("nan", "3", kInfinity), "mine 1.0 gives NaN, libtorch:cpu a number");
  EXPECT_EQ(with("3", "-inf", kInfinity), "mine 1.0 gives a number, libtorch:cpu infinity");
  EXPECT_EQ(with("1", "1.0000001", 1), "values differ by 16 ulp or fewer");
  EXPECT_EQ(with("1", "2", 1e6), "values differ by more than 16 ulp");
  EXPECT_EQ(with("inf", "-inf", kInfinity), "values differ") << "no count of ulp";
  EXPECT_EQ(with("3", "4", 0, DType::kInt32), "whole numbers differ");
  group.verdict = VerdictCode::kDifferDType;
  group.subject = answer_byte(DType::kFloat64), group.oracle = answer_byte(DType::kFloat32);
  EXPECT_EQ(reason_sentence(group, summary), "mine 1.0 answers float64, libtorch:cpu float32");
  group.verdict = VerdictCode::kCrash;
  group.subject = kCrashByte;
  EXPECT_EQ(reason_sentence(group, summary), "mine 1.0 crashes");
}

TEST(SideName, HasNoPath) {
  const std::map<std::string, std::string> told{{"subject.name", "mine 1.0"}};
  const auto name = [&](const char* side) { return side_name(side, told, "subject.name"); };
  EXPECT_EQ(name("plugin:/home/me/libmine.so"), "mine 1.0");
  EXPECT_EQ(name("process:/home/me/venv/bin/python -m mine"), "mine 1.0");
  EXPECT_EQ(side_name("plugin:libmine.so", {}, "subject.name"), "plugin:libmine.so");
  EXPECT_EQ(name("impl:cpu"), "impl:cpu") << "what has a name of its own keeps it";
  EXPECT_EQ(name("impl:cpu?threads=2"), "impl:cpu?threads=2");
  EXPECT_EQ(name("python:numpy"), "python:numpy");
}

TEST(VerdictLook, TellsApartWhatIsNoDifference) {
  std::set<std::string_view> css, glyphs;
  std::set<int> severities;
  for (size_t code = 0; code < kVerdictNames.size(); ++code) {
    const VerdictLook& look = look_of(static_cast<VerdictCode>(code));
    css.insert(look.css), glyphs.insert(look.glyph), severities.insert(look.severity);
    EXPECT_EQ(look.severity > kMissingLook.severity, is_failure(static_cast<VerdictCode>(code)));
  }
  EXPECT_EQ(css.size(), 7u);
  EXPECT_EQ(glyphs.size(), css.size()) << "a colour has one shape";
  EXPECT_EQ(severities.size(), kVerdictNames.size());
  EXPECT_FALSE(css.contains(kMissingLook.css) || glyphs.contains(kMissingLook.glyph));
}

}  // namespace
}  // namespace upcast::reports
