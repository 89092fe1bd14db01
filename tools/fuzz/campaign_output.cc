#include "tools/fuzz/campaign_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/output_file.h"
#include "cases/visible.h"
#include "tools/command_line.h"
#include "tools/fuzz/tuple_report.h"
#include "tools/progress.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

json to_json(const CampaignSamples& samples) {
  json rows = json::array();
  for (const CampaignSample& sample : samples.all())
    rows.push_back({{"seconds", sample.seconds},
                    {"cases", sample.cases},
                    {"features", sample.features},
                    {"findings", sample.signatures}});
  return rows;
}

/// The mean time of a case in microseconds; null if no case was timed.
json microseconds(double seconds, std::int64_t cases) {
  return cases == 0 ? json() : json(1e6 * seconds / static_cast<double>(cases));
}

json to_json(const CampaignOptions& options, const CampaignState& state) {
  return {{"$schema", json_schemas::kFuzz},
          {"target", options.target},
          {"engine", options.engine},
          {"subject", options.subject},
          {"oracle", options.oracle},
          {"seed", options.seed},
          {"seconds", state.seconds},
          {"cases", state.cases},
          {"cases_per_second", static_cast<double>(state.cases) / std::max(state.seconds, 1e-3)},
          {"cpu_seconds", state.cpu_seconds},
          {"cases_per_cpu_second",
           static_cast<double>(state.cases) / std::max(state.cpu_seconds, 1e-3)},
          {"answer_us", microseconds(state.answer_seconds, state.timed_answers)},
          {"refusal_us", microseconds(state.refusal_seconds, state.timed_refusals)},
          {"features", state.features},
          {"findings", state.signatures},
          {"finding_cases", state.findings},
          {"known", state.known},
          {"known_by_id", state.known_by_id},
          {"refused", state.refused},
          {"both_right", state.both_right},
          {"not_judged", state.not_judged},
          {"not_asked", state.not_asked},
          {"escapes", state.escapes},
          {"restarts", state.restarts},
          {"crashes", state.crashes},
          {"stores", state.stores},
          {"corpus", state.corpus},
          {"samples", to_json(state.samples)},
          {"coverage", state.coverage},
          {"campaigns", state.campaigns},
          {"cut_off", state.cut_off},
          {"complete", !state.gave_up && !state.interrupted},
          {"log", options.log}};
}

/// Prints the first `most` findings of this campaign.
void print_findings(std::FILE* to, const CampaignState& state, int most) {
  for (const json& row : state.simpler.empty() ? state.found.rows() : state.simpler) {
    if (most-- <= 0) return;
    fmt::print(to, "{}\n  {}\n  subject {}\n  oracle  {}\n", row.value("signature", ""),
               row.value("command", ""), row.value("subject", ""), row.value("oracle", ""));
  }
}

}  // namespace

void note_campaign(const CampaignOptions& options, const CampaignState& state) {
  write_output_file(options.log + "/" + kCampaignFile,
                    dump_json(to_json(options, state), 2) + "\n");
}

CampaignState show_progress(const std::function<CampaignState(const ShowCampaign& show)>& run) {
  Progress progress("case", 0);
  return run([&](const CampaignState& state) {
    progress.update(state.cases,
                    {counted(state.features, "feature"), counted(state.signatures, "finding"),
                     grouped(state.known) + " known"});
  });
}

int tell_campaign(const CampaignOptions& options, const CampaignState& state,
                  const std::string& json_out) {
  write_output(json_out, dump_json(to_json(options, state), 2) + "\n");
  note_campaign(options, state);
  std::FILE* const to = people(json_out);
  print_findings(to, state, 10);
  for (const std::string& corpus : state.cut_off)
    fmt::print(to, "{} was cut off: its cases are counted up to its last second\n",
               visible(corpus));
  for (const std::string& crash : state.crashes) fmt::print(to, "an engine died of {}\n", crash);
  fmt::print(
      to,
      "{}: {} in {:.1f} s ({:.3g}/s, {:.3g} a second of a core), {}, {}, {} known, {} not judged, "
      "corpus {}\n",
      options.target, counted(state.cases, "case"), state.seconds,
      static_cast<double>(state.cases) / std::max(state.seconds, 1e-3),
      static_cast<double>(state.cases) / std::max(state.cpu_seconds, 1e-3),
      counted(state.features, "feature"), counted(state.signatures, "finding"),
      grouped(state.known), grouped(state.not_judged), state.corpus);
  if (state.is_mostly_not_judged())
    fmt::print(to, "most cases were not judged, so this is not a pass even if nothing was found\n");
  if (!state.coverage.is_null()) fmt::print(to, "{}\n", coverage_text(state.coverage));
  if (state.signatures > 0) fmt::print(to, "all findings: {}/findings.ndjson\n", options.log);
  if (!state.stores.empty())
    fmt::print(to, "simplified findings, with programs: {}/findings; their cases run again: {}\n",
               options.log, fmt::join(state.stores, ", "));
  return state.exit_code();
}

}  // namespace upcast::tools
