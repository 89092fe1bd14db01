#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "reports/outputs/outputs.h"
#include "reports/outputs/schema_tests.h"
#include "reports/sha256.h"

namespace upcast::reports {
namespace {

using Json = nlohmann::ordered_json;

/// What stays the same while the difference does: not the count, not the values.
std::string fingerprint(const FailureGroup& group) {
  Sha256 digest;
  digest.update(fmt::format("{}\n{}\n{}\n{}\n{}", group.schema, group.form,
                            verdict_name(group.verdict), answer_name(group.subject),
                            answer_name(group.oracle)));
  return digest.hex_digest();
}

Json result_of(const FailureGroup& group, const Summary& summary) {
  // A difference has no file: its place is a name, and a file that is called after it, without
  // which code scanning does not show it.
  return {
      {"ruleId", verdict_name(group.verdict)},
      {"level", "error"},
      {"message", {{"text", summary.title() + ": " + failure_text(group)}}},
      {"locations",
       {{{"physicalLocation",
          {{"artifactLocation", {{"uri", group.schema + ".cases"}}},
           {"region", {{"startLine", 1}}}}},
         {"logicalLocations", {{{"fullyQualifiedName", group.schema}, {"kind", "function"}}}}}}},
      {"partialFingerprints", {{"upcastDifference/v1", fingerprint(group)}}},
      {"properties", {{"cases", group.count}, {"case", group.line}}}};
}

Json run_of(const RunData& data, bool is_one_of_several) {
  Json rules = Json::array(), results = Json::array();
  std::set<std::string> seen;
  for (const FailureGroup& group : data.failures) {
    const std::string rule(verdict_name(group.verdict));
    if (seen.insert(rule).second)
      rules.push_back({{"id", rule}, {"shortDescription", {{"text", "The sides: " + rule}}}});
    results.push_back(result_of(group, data.summary));
  }
  Json run = {
      {"tool",
       {{"driver",
         {{"name", "upcast"}, {"version", data.summary.upcast_version}, {"rules", rules}}}}},
      {"results", results},
      {"columnKind", "utf16CodeUnits"}};
  // Code scanning takes several runs of one tool only where each has a category of its own.
  if (is_one_of_several) run["automationDetails"] = {{"id", data.summary.title() + "/"}};
  return run;
}

}  // namespace

std::string sarif_json(const std::vector<RunData>& runs) {
  Json list = Json::array();
  for (const RunData& run : runs) list.push_back(run_of(run, runs.size() > 1));
  const Json report = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", list}};
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace upcast::reports
