#include <nlohmann/json.hpp>
#include <set>

#include "cases/json_text.h"
#include "oracle/verdict_json.h"
#include "reports/outputs/outputs.h"
#include "reports/outputs/schema_tests.h"

namespace upcast::reports {

using Json = nlohmann::ordered_json;

namespace {

/// The environment of the runs: their sides and versions. For one run it is an object, for several
/// runs a list.
Json environment_of(const std::vector<RunData>& runs) {
  Json list = Json::array();
  for (const RunData& run : runs)
    list.push_back({{"subject", run.summary.subject},
                    {"oracle", run.summary.oracle},
                    {"versions", run.summary.environment}});
  if (runs.size() == 1) return {{"extra", list.front()}};
  return {{"extra", {{"runs", list}}}};
}

}  // namespace

std::string ctrf_json(const std::vector<RunData>& runs) {
  constexpr std::array<const char*, 3> kStatus = {"passed", "failed", "skipped"};
  std::array<int, 3> counts{};
  std::set<std::string> suites;
  Json tests = Json::array();
  for (const SchemaTest& test : schema_tests(runs)) {
    const auto status = static_cast<std::size_t>(test.status());
    ++counts[status];
    suites.insert(test.family);
    Json json = {{"name", test.schema},
                 {"status", kStatus[status]},
                 {"duration", 0},
                 {"suite", {test.family}},
                 {"message", test.headline()},
                 {"extra",
                  {{"cases", test.counts.ran},
                   {"agree", test.counts.agree},
                   {"known", test.counts.known},
                   {"unexplained", test.counts.unexplained},
                   {"not_judged", test.counts.not_judged}}}};
    if (!test.failures.empty()) {
      json["trace"] = test.details();
      json["snippet"] = test.failures.front()->line;
      for (const FailureGroup* group : test.failures)
        json["extra"]["evidence"].push_back(Json(nlohmann::json(group->record.verdict)));
    }
    tests.push_back(std::move(json));
  }
  for (const CoverageTest& test : coverage_tests(runs)) {
    const auto status =
        static_cast<std::size_t>(test.is_skipped ? TestStatus::kSkipped : TestStatus::kPassed);
    ++counts[status];
    suites.insert(test.name);
    tests.push_back({{"name", test.name},
                     {"status", kStatus[status]},
                     {"duration", 0},
                     {"suite", {test.name}},
                     {"message", test.message}});
  }
  double seconds = 0;
  for (const RunData& run : runs) seconds += run.summary.seconds;
  const auto duration = static_cast<int64_t>(seconds * 1000);
  const std::string& version = runs.front().summary.upcast_version;
  const Json report = {{"reportFormat", "CTRF"},
                       {"specVersion", "0.0.0"},
                       {"generatedBy", "upcast"},
                       {"results",
                        {{"tool", {{"name", "upcast"}, {"version", version}}},
                         {"summary",
                          {{"tests", tests.size()},
                           {"passed", counts[0]},
                           {"failed", counts[1]},
                           {"skipped", counts[2]},
                           {"pending", 0},
                           {"other", 0},
                           {"suites", suites.size()},
                           {"start", 0},
                           {"stop", duration},
                           {"duration", duration}}},
                         {"tests", tests},
                         {"environment", environment_of(runs)}}}};
  return dump_json(report, 1) + "\n";
}

}  // namespace upcast::reports
