// Tests the limits that other programs set for the outputs. They use made-up runs, because a real
// run is too small to reach them.
#include "reports/outputs/outputs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/visible.h"

namespace upcast::reports {
namespace {

constexpr std::size_t kMiB = 1 << 20;

/// A made-up run with `groups` kinds of differences.
RunData run_with(int groups, const std::string& subject = "impl:cpu") {
  RunData data;
  data.summary.subject = subject;
  data.summary.oracle = "libtorch:cpu";
  data.summary.counts.planned = data.summary.counts.ran = groups;
  data.summary.counts.unexplained = data.summary.counts.values_judged = groups;
  data.summary.complete = true;
  for (int i = 0; i < groups; ++i) {
    FailureGroup group;
    group.op = "add";
    group.schema = fmt::format("add.Tensor{}", i);
    group.form = "functional";
    group.count = 1;
    group.line = fmt::format("add.Tensor(float32[1]{{{}}}, float32[1])", i);
    data.failures.push_back(group);
  }
  return data;
}

int times(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++found;
  return found;
}

/// The number in a text before " more kinds of differences"; 0 without one.
int left_out(const std::string& text) {
  const std::size_t end = text.find(" more kinds of differences");
  if (end == std::string::npos) return 0;
  std::string digits = text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end) - 1);
  std::erase(digits, ',');
  return std::stoi(digits);
}

/// A run in which every text tries to break out of the format that holds it.
RunData hostile_run() {
  const std::string text =
      "=\x1b]8;;http://x\x07\r\n# forged \u202e\u009b|]]><script>*/ www.evil.invalid \x7f\xff";
  RunData data = run_with(1);
  data.summary.subject = data.summary.oracle = data.summary.upcast_version = text;
  data.summary.source = data.summary.environment[text] = text;
  FailureGroup& group = data.failures.front();
  group.op = group.schema = group.form = group.line = text;
  group.record.line = group.record.subject = group.record.oracle = text;
  group.record.verdict.why = group.record.signature = text;
  group.record.verdict.deaths.push_back({Role::kSubject, text, text});
  ReportRow row;
  row.schema = row.form = row.default_dtype = row.line_template = text;
  row.counts = data.summary.counts;
  OpData op;
  op.name = op.family = text;
  op.rows = {row};
  data.ops.push_back(op);
  return data;
}

TEST(Outputs, TextFromOutsideSteersNothing) {
  const std::vector<RunData> runs{hostile_run(), hostile_run()};
  EXPECT_NE(first_hidden(runs[0].summary.subject), std::string::npos) << "the control";
  for (const std::string& output : {junit_xml(runs), ctrf_json(runs), sarif_json(runs),
                                    sarif_cases(runs), step_summary(runs), badge_json(runs)})
    EXPECT_EQ(first_hidden(output, "\n"), std::string::npos) << output.substr(0, 2000);
  for (const std::string& json : {ctrf_json(runs), sarif_json(runs), badge_json(runs)})
    EXPECT_TRUE(nlohmann::json::accept(json));
  const std::string csv = rows_csv(runs);
  EXPECT_EQ(first_hidden(csv, "\r\n"), std::string::npos);
  EXPECT_EQ(times(csv, "\r\n"), 3) << "a line of names, and one a run";
  EXPECT_EQ(times(csv, ",=") + times(csv, "\"="), 0) << csv;
  const std::string summary = step_summary({hostile_run()});
  const std::string head = summary.substr(0, summary.find("### What differs"));
  for (const char* markup : {"\n# forged", "<script", "http://", "www."})
    EXPECT_EQ(times(head, markup), 0) << markup << "\n" << head;
  EXPECT_EQ(times(junit_xml(runs), "]]>"), 0);
}

TEST(StepSummary, ShowsAllThatFits) {
  const std::string text = step_summary({run_with(100)});
  EXPECT_EQ(times(text, "add.Tensor(float32[1]"), 100);
  EXPECT_EQ(left_out(text), 0);
}

TEST(StepSummary, IsCutOffBelowTheLimitAndCountsWhatDoesNotFit) {
  const std::string text = step_summary({run_with(20'000)});
  EXPECT_LT(text.size(), kMiB);
  EXPECT_GT(text.size(), kMiB / 2) << "the room is used";
  const int shown = times(text, "add.Tensor(float32[1]");
  EXPECT_GT(left_out(text), 0);
  EXPECT_EQ(shown + left_out(text), 20'000);
}

TEST(StepSummary, SeveralRunsShareTheRoom) {
  std::vector<RunData> runs;
  for (const char* subject : {"impl:cpu", "impl:emulated", "impl:meta"})
    runs.push_back(run_with(20'000, subject));
  const std::string text = step_summary(runs);
  EXPECT_LT(text.size(), kMiB);
  EXPECT_GT(text.size(), kMiB / 2);
  EXPECT_EQ(times(text, " more kinds of differences are in the report."), 3);
  for (const RunData& run : runs)
    EXPECT_NE(text.find("## ❌ " + run.summary.title()), std::string::npos) << run.summary.title();
}

TEST(Outputs, SayWhoIsWrongWhereItIsKnown) {
  RunData run = run_with(1, "plugin:./libmine.so");
  run.summary.environment["subject.name"] = "mine 1.0";
  FailureGroup& group = run.failures.front();
  group.record.line = group.line;
  OpData op;
  op.family = "arithmetic";
  op.rows.emplace_back().schema = group.schema;
  op.rows.front().counts.ran = op.rows.front().counts.unexplained = 1;
  run.ops = {op};
  const std::string wrong = "mine 1.0, the subject, is wrong here: the exact value of element 0";
  for (const bool is_known : {false, true}) {
    if (is_known)
      group.record.verdict.ruling = {.outcome = Ruling::Outcome::kSubjectIsOff, .truth = "0.5"};
    group.record.verdict.code = group.verdict = VerdictCode::kDifferValue;
    for (const std::string& text :
         {step_summary({run}), sarif_json({run}), junit_xml({run}), ctrf_json({run})})
      EXPECT_EQ(times(text, wrong), is_known ? 1 : 0) << text;
  }
}

TEST(Sarif, HasAtMostWhatGitHubTakesAndCountsTheRest) {
  const auto runs = [](int groups) {
    return nlohmann::json::parse(sarif_json({run_with(groups)})).at("runs").at(0);
  };
  const auto whole = runs(25'000);
  EXPECT_EQ(whole.at("results").size(), 25'000u);
  EXPECT_FALSE(whole.at("properties").contains("results_left_out"));
  EXPECT_EQ(whole.at("invocations").at(0).at("toolExecutionNotifications").size(), 1u)
      << "of how much it speaks";
  const auto cut = runs(25'003);
  EXPECT_EQ(cut.at("results").size(), 25'000u);
  EXPECT_EQ(cut.at("properties").at("results_left_out"), 3);
  EXPECT_EQ(cut.at("invocations").at(0).at("toolExecutionNotifications").size(), 2u);
}

/// A run that judged a `share` of all cases. All judged cases agree.
RunData run_that_covers(double share) {
  RunData data = run_with(0);
  Summary& summary = data.summary;
  summary.counts.planned = summary.counts.ran = summary.counts.agree = 4;
  summary.counts.values_judged = 4;
  const auto whole = static_cast<int64_t>(4 / share);
  summary.coverage = {.whole = {whole, 9},
                      .claimed = {4, 2},
                      .left_out = whole - 4,
                      .judged = 4,
                      .answered = 1,
                      .share = share};
  return data;
}

TEST(Badge, CarriesItsCoverageAndIsGreyBelowTheFloor) {
  const auto badge = [](std::vector<RunData> runs) {
    return nlohmann::json::parse(badge_json(runs));
  };
  EXPECT_EQ(badge({run_that_covers(1)}).at("message"), "100 %");
  EXPECT_EQ(badge({run_that_covers(1)}).at("color"), "brightgreen");
  EXPECT_EQ(badge({run_that_covers(0.5)}).at("message"), "100 % of 4 judged, 50.00 % covered");
  EXPECT_EQ(badge({run_that_covers(0.5)}).at("color"), "brightgreen");
  EXPECT_EQ(badge({run_that_covers(0.001)}).at("message"), "100 % of 4 judged, 0.10 % covered");
  EXPECT_EQ(badge({run_that_covers(1e-5)}).at("message"),
            "100 % of 4 judged, under 0.01 % covered");
  EXPECT_EQ(badge({run_that_covers(0.001)}).at("color"), "lightgrey");
  EXPECT_EQ(badge({run_that_covers(1), run_that_covers(0.001)}).at("color"), "lightgrey");
  RunData unfinished = run_that_covers(1);
  unfinished.summary.complete = false;
  EXPECT_EQ(badge({unfinished}).at("message"), "incomplete");
  EXPECT_EQ(badge({unfinished, run_that_covers(0.001)}).at("message"), "incomplete");
}

TEST(Junit, CoverageIsATestThatIsSkippedBelowTheFloor) {
  const std::string little = junit_xml({run_that_covers(0.001)});
  EXPECT_NE(little.find("<skipped message=\"4 cases judged of 4 claimed and 4,000 in all (0.10 %)"),
            std::string::npos)
      << little;
  EXPECT_NE(little.find("outside of its manifest: 3,996 of 4,000 cases, 7 of 9 ops"),
            std::string::npos);
  const std::string whole = junit_xml({run_that_covers(1)});
  EXPECT_EQ(whole.find("<skipped"), std::string::npos);
  EXPECT_NE(whole.find("<testsuite name=\"coverage\" tests=\"1\""), std::string::npos);
}

TEST(Sarif, SaysOfHowMuchItSpeaks) {
  const auto note = [](double share) {
    return nlohmann::json::parse(sarif_json({run_that_covers(share)}))
        .at("/runs/0/invocations/0/toolExecutionNotifications/0"_json_pointer);
  };
  EXPECT_EQ(note(1).at("level"), "note");
  EXPECT_EQ(note(0.001).at("level"), "warning");
  EXPECT_EQ(note(0.001).at("message").at("text"),
            "impl:cpu agrees with libtorch:cpu in all 4 judged cases; 3,996 of 4,000 were not "
            "judged.");
}

TEST(Sarif, APlaceIsALineOfTheCasesThatAreWritten) {
  const std::vector<RunData> runs{run_with(2), run_with(3, "impl:meta")};
  const auto report = nlohmann::json::parse(sarif_json(runs, "out/a b%\xC3\xA9.cases"));
  std::vector<std::string> lines{""};  // an empty first line, so that indices count lines from 1
  std::istringstream text(sarif_cases(runs));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  EXPECT_EQ(lines.size(), 1 + 2 + 2U + 3U) << "a comment a run, and its cases";
  for (const auto& run : report.at("runs"))
    for (const auto& result : run.at("results")) {
      const auto place = result.at("/locations/0/physicalLocation"_json_pointer);
      EXPECT_EQ(place.at("/artifactLocation/uri"_json_pointer), "out/a%20b%25%C3%A9.cases");
      EXPECT_EQ(lines.at(place.at("/region/startLine"_json_pointer)),
                result.at("/properties/case"_json_pointer));
    }
  const auto absolute = nlohmann::json::parse(sarif_json({run_with(1)}, "/tmp/r.cases"));
  EXPECT_EQ(absolute.at(
                "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri"_json_pointer),
            "file:///tmp/r.cases");
}

TEST(Sarif, WithoutAFileOfCasesAResultHasTheSchemaAlone) {
  const auto report = nlohmann::json::parse(sarif_json({run_with(1)}));
  const auto location = report.at("/runs/0/results/0/locations/0"_json_pointer);
  EXPECT_FALSE(location.contains("physicalLocation"));
  EXPECT_TRUE(location.contains("logicalLocations"));
}

}  // namespace
}  // namespace upcast::reports
