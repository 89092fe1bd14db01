// A campaign: engine processes on one corpus, watched, restarted and merged.
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

/// Sums over the campaign's processes, dead ones too.
struct CampaignState {
  double seconds = 0;
  double cpu_seconds = 0;  // of the engines
  std::int64_t cases = 0, refused = 0, known = 0, findings = 0, signatures = 0;
  std::int64_t both_right = 0, not_judged = 0, not_asked = 0, escapes = 0;
  std::int64_t timed_answers = 0, timed_refusals = 0;  // cases of which the time was taken
  double answer_seconds = 0, refusal_seconds = 0;      // of them
  std::map<std::string, std::int64_t> known_by_id;
  std::int64_t features = 0;            // the most that one engine counts
  std::int64_t corpus = 0;              // inputs, when the campaign has ended
  nlohmann::json coverage;              // tuples (tuple_report.h); null for a target without cases
  int restarts = 0;                     // engines that died and were started again
  NewFindings found;                    // rows of findings.ndjson
  std::vector<nlohmann::json> simpler;  // of them, where the campaign itself makes them simpler
  std::vector<std::string> crashes;     // inputs that killed an engine
  std::vector<std::string> stores;      // run stores of the findings
  std::int64_t campaigns = 1;           // that these are the sums of
  std::vector<std::string> cut_off;     // corpora of those that were killed
  bool gave_up = false;                 // engines died too often
  bool interrupted = false;
  CampaignSamples samples;  // about once a second at first

  /// Less than half of the cases were judged. As with `upcast run`, that is no pass.
  bool is_mostly_not_judged() const { return not_judged > cases / 2; }
  /// 1: it found something. 3: it did not end as asked, or judged too little. Else 0.
  int exit_code() const {
    if (gave_up || interrupted) return 3;
    if (signatures > 0 || findings > 0 || !crashes.empty()) return 1;
    return is_mostly_not_judged() ? 3 : 0;
  }
};

/// Runs until the time is up, the runs are done or SIGINT. An engine that dies, by itself or by a
/// signal from outside, or stands still, is started again for what is left: it wrote each new input
/// before it went on, so none is lost. In the end the corpora are merged and pruned into
/// options.corpus: what marks no feature of its own goes. `show` is called about once a second.
/// Throws UsageError.
CampaignState run_campaign(const CampaignOptions& options,
                           const std::function<void(const CampaignState&)>& show);

}  // namespace upcast::tools
