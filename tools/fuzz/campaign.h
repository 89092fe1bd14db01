// Runs a campaign: starts several engines on one corpus, watches them, starts them again, and
// merges their inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/fuzz/campaign_samples.h"
#include "tools/fuzz/new_findings.h"
#include "tools/siblings/fuzz_flags.h"

namespace upcast::tools {

/// The state of a campaign: sums over all its engines, also over those that died.
struct CampaignState {
  double seconds = 0;
  double cpu_seconds = 0;  // processor time of all engines
  std::int64_t cases = 0, refused = 0, known = 0, findings = 0, signatures = 0;
  std::int64_t both_right = 0, not_judged = 0, not_asked = 0, escapes = 0;
  std::int64_t timed_answers = 0, timed_refusals = 0;  // cases whose time was measured
  double answer_seconds = 0, refusal_seconds = 0;      // seconds of all timed cases
  std::map<std::string, std::int64_t> known_by_id;
  std::int64_t features = 0;            // the most features of one engine
  std::int64_t corpus = 0;              // inputs in the corpus; 0 until the campaign ends
  nlohmann::json coverage;              // JSON as of tuple_coverage(); null: target without cases
  int restarts = 0;                     // engines that died and were started again
  NewFindings found;                    // the rows that the campaign adds to findings.ndjson
  std::vector<nlohmann::json> simpler;  // minimal findings of a chain campaign
  std::vector<std::string> crashes;     // inputs that killed an engine
  std::vector<std::string> stores;      // paths of run stores with the findings
  std::int64_t campaigns = 1;           // how many campaigns were merged; else 1
  std::vector<std::string> cut_off;     // corpora of merged campaigns that were killed
  bool gave_up = false;                 // ended because engines died too often
  bool interrupted = false;
  CampaignSamples samples;  // one sample about each second; fewer in a long campaign

  /// Whether less than half of the cases were judged, which is no pass, as with `upcast run`.
  bool is_mostly_not_judged() const { return not_judged > cases / 2; }
  /// The exit code. 1: the campaign found something. 3: it did not end as asked, or judged too
  /// little. Else 0.
  int exit_code() const {
    if (gave_up || interrupted) return 3;
    if (signatures > 0 || findings > 0 || !crashes.empty()) return 1;
    return is_mostly_not_judged() ? 3 : 0;
  }
};

/// Runs a campaign until its time is up, its runs are done, or SIGINT comes. An engine that dies or
/// stands still is started again for the rest. It wrote each new input before it went on, so no
/// input is lost. In the end all inputs are merged into options.corpus; those that add no feature
/// are dropped. Calls `show` about once a second. Throws UsageError.
CampaignState run_campaign(const CampaignOptions& options,
                           const std::function<void(const CampaignState&)>& show);

}  // namespace upcast::tools
