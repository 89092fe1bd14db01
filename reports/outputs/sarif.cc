#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/json_text.h"
#include "cases/visible.h"
#include "oracle/verdict_json.h"
#include "reports/outputs/outputs.h"
#include "reports/outputs/schema_tests.h"
#include "reports/sha256.h"

namespace upcast::reports {
namespace {

using Json = nlohmann::ordered_json;

/// The most results of a run that GitHub takes.
constexpr std::size_t kMaxResults = 25'000;

/// A path as a URI (RFC 3986). A relative path gives a relative URI.
std::string uri_of(std::string_view path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool unreserved = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                            (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '_' ||
                            c == '~' || c == '/';
    if (unreserved)
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// The fingerprint of a group of failures. It contains no counts and values, so that it stays the
/// same while the difference exists.
std::string fingerprint(const FailureGroup& group) {
  Sha256 digest;
  digest.update(fmt::format("{}\n{}\n{}\n{}\n{}", group.schema, group.form, name(group.verdict),
                            answer_name(group.subject), answer_name(group.oracle)));
  return digest.hex_digest();
}

/// The line of a .cases file that has the case of a result.
struct Place {
  const std::string& file;  // the file's name; "": there is no such file
  std::int64_t line;
};

Json result_of(const FailureGroup& group, const Summary& summary, const Place& place) {
  Json location = {
      {"logicalLocations", {{{"fullyQualifiedName", group.schema}, {"kind", "function"}}}}};
  if (!place.file.empty())
    location["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(place.file)}}},
                                    {"region", {{"startLine", place.line}}}};
  return {{"ruleId", name(group.verdict)},
          {"level", "error"},
          {"message", {{"text", summary.title() + ": " + failure_text(group, summary.sides())}}},
          {"locations", {location}},
          {"partialFingerprints", {{"upcastDifference/v1", fingerprint(group)}}},
          {"properties",
           {{"cases", group.count},
            {"case", group.line},
            {"evidence", nlohmann::json(group.record.verdict)}}}};
}

std::size_t results_of(const RunData& data) { return std::min(data.failures.size(), kMaxResults); }

/// A run in SARIF. `line`: the line of its first result in the .cases file.
Json run_of(const RunData& data, bool is_one_of_several, const std::string& cases,
            std::int64_t line) {
  Json rules = Json::array(), results = Json::array();
  std::set<std::string> seen;
  const std::size_t shown = results_of(data);
  for (std::size_t i = 0; i < shown; ++i) {
    const FailureGroup& group = data.failures[i];
    const std::string rule(name(group.verdict));
    if (seen.insert(rule).second)
      rules.push_back({{"id", rule}, {"shortDescription", {{"text", "The sides: " + rule}}}});
    results.push_back(result_of(group, data.summary, {cases, line++}));
  }
  Json run = {
      {"tool",
       {{"driver",
         {{"name", "upcast"}, {"version", data.summary.upcast_version}, {"rules", rules}}}}},
      {"results", results},
      {"columnKind", "utf16CodeUnits"}};
  // Code scanning accepts several runs of one tool only if each run has a category of its own.
  if (is_one_of_several) run["automationDetails"] = {{"id", data.summary.title() + "/"}};
  // If little was judged, a run without results does not mean that the subject passes: a note says
  // so.
  Json notes = Json::array();
  const auto note = [&notes](const char* level, const std::string& text) {
    notes.push_back({{"level", level}, {"message", {{"text", text}}}});
  };
  const bool is_little = !data.summary.coverage.reaches_floor();
  note(is_little ? "warning" : "note", data.summary.verdict_sentence());
  run["properties"]["coverage"] = coverage_json(data.summary.coverage);
  if (const std::size_t left_out = data.failures.size() - shown; left_out > 0) {
    note("warning", fmt::format("{} more kinds of differences are in the report", left_out));
    run["properties"]["results_left_out"] = left_out;
  }
  run["invocations"] = {{{"executionSuccessful", true}, {"toolExecutionNotifications", notes}}};
  return run;
}

}  // namespace

std::string sarif_json(const std::vector<RunData>& runs, const std::string& cases) {
  Json list = Json::array();
  std::int64_t line = 1;
  for (const RunData& run : runs) {
    ++line;  // a comment stands above each run's cases
    list.push_back(run_of(run, runs.size() > 1, cases, line));
    line += static_cast<std::int64_t>(results_of(run));
  }
  const Json report = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", list}};
  return dump_json(report, 1) + "\n";
}

std::string sarif_cases(const std::vector<RunData>& runs) {
  std::string text;
  for (const RunData& run : runs) {
    fmt::format_to(std::back_inserter(text), "# {}: a case of each kind of difference\n",
                   visible(run.summary.title()));
    for (std::size_t i = 0; i < results_of(run); ++i) text += visible(run.failures[i].line) + "\n";
  }
  return text;
}

}  // namespace upcast::reports
