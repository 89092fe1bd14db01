#include "reports/campaign.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "cases/text_file.h"
#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast::reports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TupleCounts counts_of(const json& from) {
  return {
      .possible = from.at("possible"), .asked = from.at("asked"), .answered = from.at("answered")};
}

TupleCombination combination_of(const json& from) {
  TupleCombination combination{.factors = from.at("factors"), .counts = counts_of(from)};
  combination.gaps_left_out = from.at("gaps_left_out");
  for (const json& gap : from.at("gaps"))
    combination.gaps.push_back({.of = gap.at("of"), .missing = gap.at("missing")});
  return combination;
}

Campaign campaign_of(const json& from) {
  Campaign campaign{.target = from.at("target")};
  campaign.seconds = from.at("seconds");
  campaign.cases_per_second = from.at("cases_per_second");
  campaign.cases = from.at("cases");
  campaign.features = from.at("features");
  campaign.signatures = from.at("findings");
  campaign.finding_cases = from.value("finding_cases", int64_t{0});
  campaign.known = from.at("known");
  campaign.corpus = from.value("corpus", int64_t{0});
  campaign.complete = from.value("complete", true);
  const json by_id = from.value("known_by_id", json());
  if (by_id.is_object()) campaign.known_by_id = by_id;
  campaign.crashes = from.value("crashes", std::vector<std::string>{});
  for (const json& sample : from.value("samples", json::array()))
    campaign.samples.push_back({.seconds = sample.at("seconds"),
                                .cases = sample.at("cases"),
                                .features = sample.at("features"),
                                .findings = sample.at("findings")});
  const json coverage = from.value("coverage", json());
  if (coverage.is_null()) return campaign;
  campaign.has_coverage = true;
  campaign.pairs = counts_of(coverage.at("pairs"));
  campaign.triples = counts_of(coverage.at("triples"));
  for (const json& each : coverage.at("combinations"))
    campaign.combinations.push_back(combination_of(each));
  for (const json& each : coverage.value("ops", json::array()))
    campaign.ops.push_back({.op = each.at("op"), .counts = counts_of(each)});
  return campaign;
}

/// Reads the findings of a campaign. A running campaign may have written only a part of its last
/// line: that line is left out.
std::vector<CampaignFinding> findings_of(std::ifstream& file) {
  std::vector<CampaignFinding> findings;
  for (std::string line; std::getline(file, line);) {
    const json row = read_json(line);
    if (!row.is_object()) continue;
    findings.push_back({.signature = row.value("signature", ""),
                        .line = row.value("line", ""),
                        .subject = row.value("subject", ""),
                        .oracle = row.value("oracle", ""),
                        .verdict = row.value("verdict", "")});
  }
  return findings;
}

}  // namespace

Campaign load_campaign(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw UsageError(fmt::format("{}: cannot be read; name what upcast fuzz --json wrote", path));
  Campaign campaign;
  std::string log;
  try {
    const json read = read_json(read_text_file(path));
    campaign = campaign_of(read);
    log = read.value("log", "");
  } catch (const json::exception& error) {
    throw UsageError(
        fmt::format("{}: not what upcast fuzz --json writes ({})", path, visible(error.what())));
  }
  if (campaign.signatures == 0) return campaign;
  const fs::path list = fs::path(log) / "findings.ndjson";
  std::ifstream findings(list);
  if (!findings) findings.open(fs::path(path).parent_path() / list);
  if (findings) {
    try {
      campaign.findings = findings_of(findings);
    } catch (const json::exception& error) {
      throw UsageError(fmt::format("{}: not the findings of upcast fuzz ({})", list.string(),
                                   visible(error.what())));
    }
  } else {
    campaign.missing_log = (list.parent_path().filename() / list.filename()).string();
  }
  return campaign;
}

}  // namespace upcast::reports
