#include "reports/html/findings_section.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "impl/core/temporary_folder.h"
#include "reports/html/html_report.h"
#include "reports/testing/synthetic_input.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_input;
using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

/// Options of the synthetic run: 38 ops, because special_zeta, which has a finding, is the 38th.
const SyntheticOptions kOptions{.binary_ops = 38, .dtypes = 3};

/// A synthetic run for which every view has something to show.
struct Made {
  TemporaryFolder folder;
  ReportInput input;
  RunStore store;
  std::vector<RunData> runs;

  explicit Made(const SyntheticOptions& options = kOptions)
      : input(written(options)),
        store(RunStore::open(input.stores.front())),
        runs{fold_run({&store})} {}

 private:
  ReportInput written(const SyntheticOptions& options) {
    write_synthetic_store(folder / "run.db", synthetic_plan(options), options);
    return synthetic_input({folder / "run.db"}, folder.path(), false);
  }
};

const FindingRow* find(const FindingRows& findings, const std::string& name) {
  for (const FindingRow& row : findings.rows)
    if (row.name == name) return &row;
  return nullptr;
}

TEST(FindingsSection, TheWorstComesFirstAndNewBeforeKnown) {
  const Made made;
  const FindingRows findings = finding_rows(made.runs, made.input);
  ASSERT_GT(findings.rows.size(), 4U);
  EXPECT_TRUE(std::is_sorted(findings.rows.begin(), findings.rows.end(),
                             [](const FindingRow& a, const FindingRow& b) {
                               return std::pair(a.severity, a.group != kNewFinding) <
                                      std::pair(b.severity, b.group != kNewFinding);
                             }));
  std::set<Severity> severities;
  for (const FindingRow& row : findings.rows) severities.insert(row.severity);
  EXPECT_GT(severities.size(), 1U) << "the control: there is an order to keep";
}

TEST(FindingsSection, AKnownDifferenceHasWhatWasMeasured) {
  const Made made;
  const FindingRows findings = finding_rows(made.runs, made.input);
  const FindingRow* power = find(findings, "pow-refuses-negative-integer");
  ASSERT_NE(power, nullptr);
  EXPECT_EQ(power->severity, Severity::kWrongKind);
  EXPECT_EQ(power->fault, "refuses a call that it has to answer");
  EXPECT_EQ(power->group, "by_design");
  EXPECT_EQ(power->side, "libtorch:cpu");
  EXPECT_EQ(power->cases, made.runs[0].summary.known[2].hits);
  EXPECT_GT(power->cases, 0);
  EXPECT_EQ(power->query, "known:pow-refuses-negative-integer in:cases");
  const std::string page = findings_section(findings, made.runs);
  EXPECT_NE(page.find("<h3>aten::pow.Tensor_Scalar_out refuses a call that it has to answer "
                      "(int32)</h3>"),
            std::string::npos);
  EXPECT_NE(page.find("No Python program: its public functions pass no such out."),
            std::string::npos);
}

TEST(FindingsSection, OnlyWhatOccursIsListed) {
  const Made made({.binary_ops = 9, .dtypes = 3});  // nine ops, without special_zeta
  ASSERT_EQ(made.runs[0].summary.known[0].hits, 0);
  ASSERT_EQ(made.input.findings.size(), 3U);
  const FindingRows findings = finding_rows(made.runs, made.input);
  const FindingRow* zeta = find(findings, "zeta-nan");
  ASSERT_NE(zeta, nullptr) << "the campaign met it";
  EXPECT_EQ(zeta->cases, 0);
  EXPECT_EQ(zeta->fuzzed, 1200);
  ReportInput input = made.input;
  input.campaigns.clear();
  EXPECT_EQ(find(finding_rows(made.runs, input), "zeta-nan"), nullptr);
}

TEST(FindingsSection, WhatWasNotMeasuredHasTheSeverityOfItsKind) {
  Made made;
  made.input.findings.clear();
  const FindingRows findings = finding_rows(made.runs, made.input);
  const FindingRow* power = find(findings, "pow-refuses-negative-integer");
  ASSERT_NE(power, nullptr);
  EXPECT_EQ(power->severity, Severity::kWrongKind);
  EXPECT_EQ(power->measured, nullptr);
  EXPECT_EQ(findings_section(findings, made.runs).find("data-copies"), std::string::npos);
}

TEST(FindingsSection, WhatNoEntryExplainsIsNew) {
  const Made made;
  const RunData& data = made.runs[0];
  const FindingRows findings = finding_rows(made.runs, made.input);
  std::int64_t cases = 0, fuzzed = 0, met = 0;
  for (const FindingRow& row : findings.rows)
    if (row.group == kNewFinding)
      (row.fuzzed_case != nullptr ? fuzzed : met) += 1, cases += row.cases;
  EXPECT_EQ(fuzzed, 2) << "of the campaign";
  std::int64_t groups = 0;
  for (const FailureGroup& group : data.failures)
    groups += group.verdict != VerdictCode::kExpectation;
  EXPECT_EQ(met + fuzzed + findings.new_left_out, groups + 2);
  EXPECT_GT(cases, 0);
  EXPECT_EQ(finding_count(findings),
            static_cast<std::int64_t>(findings.rows.size()) + findings.new_left_out);
}

TEST(FindingsSection, NaNForANumberIsAWrongKind) {
  Made made;
  made.input.campaigns.clear();
  FailureGroup group = made.runs[0].failures.front();
  group.verdict = VerdictCode::kDifferValue;
  const auto severity = [&](const char* subject, const char* oracle) {
    group.record.verdict = {.code = VerdictCode::kDifferValue};
    group.record.verdict.difference =
        Difference{.what = Difference::What::kElement, .subject = subject, .oracle = oracle};
    made.runs[0].failures = {group};
    const FindingRows findings = finding_rows(made.runs, made.input);
    return find(findings, "new-1")->severity;
  };
  EXPECT_EQ(severity("nan", "1"), Severity::kWrongKind);
  EXPECT_EQ(severity("1", "1-infj"), Severity::kWrongKind);
  EXPECT_EQ(severity("2", "1"), Severity::kWrongValue);
}

TEST(FindingsSection, ManyNewOnesAreCountedAndTheWorstShown) {
  Made made;
  const FailureGroup value = [&] {
    for (const FailureGroup& group : made.runs[0].failures)
      if (group.verdict == VerdictCode::kDifferValue) return group;
    return made.runs[0].failures.front();
  }();
  made.runs[0].failures.assign(kMaxNewFindings + 7, value);
  made.runs[0].failures.back().verdict = VerdictCode::kCrash;
  made.input.campaigns.clear();
  const FindingRows findings = finding_rows(made.runs, made.input);
  EXPECT_EQ(findings.new_left_out, 7);
  EXPECT_EQ(findings.rows.front().severity, Severity::kCrash);
  EXPECT_NE(findings_section(findings, made.runs)
                .find("and 7 more new ones under <a href=\"#failures\">"),
            std::string::npos);
}

TEST(FindingsSection, ARunWithoutDifferencesHasNone) {
  Made made;
  made.input.campaigns.clear();
  made.runs[0].failures.clear();
  for (KnownEntry& entry : made.runs[0].summary.known) entry.hits = 0;
  const FindingRows findings = finding_rows(made.runs, made.input);
  EXPECT_EQ(findings_section(findings, made.runs), "");
  EXPECT_EQ(finding_count(findings), 0);
}

}  // namespace
}  // namespace upcast::reports
