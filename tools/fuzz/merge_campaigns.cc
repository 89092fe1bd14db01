#include "tools/fuzz/merge_campaigns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cases/json_text.h"
#include "cases/output_file.h"
#include "cases/text_file.h"
#include "cases/visible.h"
#include "fuzz/finding_log.h"
#include "fuzz/tuple_map.h"
#include "impl/core/error.h"
#include "tools/fuzz/artifacts.h"
#include "tools/fuzz/campaign_output.h"
#include "tools/fuzz/campaign_sums.h"
#include "tools/fuzz/corpus_merger.h"
#include "tools/fuzz/exchange.h"
#include "tools/fuzz/tuple_report.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The JSON that a campaign left in its log (kCampaignFile). Throws UsageError if the log is not a
/// campaign's.
json campaign_of(const std::string& log) {
  const std::string path = log + "/" + kCampaignFile;
  const json said = fs::exists(path) ? read_json(file_text(path)) : json();
  if (!said.is_object() || !said.value("target", json()).is_string())
    throw UsageError(visible(path) + " is not there, or not a campaign's: --merge takes corpora");
  return said;
}

/// The target, and the sides that the user chose: "elementwise --subject impl:cpu".
std::string what_of(const json& said) {
  std::string what = said.at("target");
  for (const char* side : {"subject", "oracle"})
    if (const auto name = said.value(side, ""); !name.empty())
      what += fmt::format(" --{} {}", side, name);
  return what;
}

/// The folders of a campaign that hold inputs: its corpus and, if it was killed, those of its
/// engines.
std::vector<std::string> inputs_of(const CampaignParts& parts) {
  std::vector<std::string> folders;
  if (fs::is_directory(parts.corpus)) folders.push_back(parts.corpus);
  for (const auto& entry : fs::directory_iterator(parts.log))
    if (entry.is_directory() && entry.path().filename().string().starts_with("job-"))
      folders.push_back(entry.path().string());
  return folders;
}

/// The findings of all campaigns as lines of JSON, one for each signature. A line that was cut off,
/// because its process was killed, is left out.
std::string findings_of(const std::vector<CampaignParts>& all) {
  std::set<std::string> signatures;
  std::string text;
  for (const CampaignParts& parts : all) {
    const std::string rows = file_text(parts.log + "/" + std::string(fuzz::kFindingsFile));
    for (std::size_t start = 0, end = 0; start < rows.size(); start = end + 1) {
      end = std::min(rows.find('\n', start), rows.size());
      const json row = read_json(std::string_view(rows).substr(start, end - start));
      if (row.is_object() && signatures.insert(row.value("signature", "")).second)
        text += dump_json(row) + "\n";
    }
  }
  return text;
}

json coverage_of(const std::vector<CampaignParts>& all) {
  const TupleSpace space;
  std::vector<std::uint8_t> marks;
  for (const CampaignParts& parts : all) {
    const std::string file = fmt::format("{}/{}", parts.log, fuzz::kTupleFile);
    if (!fs::exists(file)) continue;
    const std::vector<std::uint8_t> more = fuzz::read_tuple_map(file, space);
    marks.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) marks[i] |= more[i];
  }
  return marks.empty() ? json() : tuple_coverage(space, marks);
}

/// Merges the inputs of all campaigns into options.corpus. Returns the number of features that they
/// have.
std::int64_t merge_corpora(const std::vector<CampaignParts>& all, const CampaignOptions& options) {
  std::vector<std::string> folders;
  for (const CampaignParts& parts : all)
    for (const std::string& folder : inputs_of(parts)) folders.push_back(folder);
  if (!options.exchange.empty())
    for (const std::string& folder : Exchange(options.exchange).folders())
      folders.push_back(folder);
  const std::string output = options.log + "/merge.out";
  Child merger(corpus_merger(options, options.corpus, folders, output));
  if (!merger.wait().exited_with(0) || count_files(options.corpus) == 0)
    throw UsageError("the corpora could not be merged, see " + output + "; nothing is lost");
  return merged_features(output);
}

void make_new_folder(const std::string& folder) {
  if (fs::exists(fs::symlink_status(folder)))
    throw UsageError(visible(folder) + ": exists already; name another --corpus, or remove it");
  make_folder(folder);
}

}  // namespace

std::vector<CampaignParts> read_parts(const std::vector<std::string>& corpora,
                                      CampaignOptions& options) {
  std::vector<CampaignParts> all;
  std::set<fs::path> seen;
  json first;
  for (const std::string& corpus : corpora) {
    CampaignOptions named;
    named.corpus = corpus;
    settle(named);
    const json said = campaign_of(named.log);
    if (first.is_null()) first = said;
    if (what_of(said) != what_of(first))
      throw UsageError(fmt::format("{} is a campaign of {}, not of {} as {}", visible(corpus),
                                   what_of(said), what_of(first), visible(corpora.front())));
    if (!seen.insert(fs::canonical(named.log)).second)
      throw UsageError(visible(corpus) + " is given twice");
    all.push_back({.corpus = named.corpus,
                   .log = named.log,
                   .seconds = said.value("seconds", 0.0),
                   .has_ended = said.value("complete", false)});
  }
  options.target = first.at("target");
  options.subject = first.value("subject", "");
  options.oracle = first.value("oracle", "");
  return all;
}

CampaignState merge_campaigns(const std::vector<CampaignParts>& parts,
                              const CampaignOptions& options) {
  make_new_folder(options.corpus);
  make_new_folder(options.log);
  CampaignState state;
  state.campaigns = static_cast<std::int64_t>(parts.size());
  std::set<std::string> copies;  // paths; equal inputs that killed an engine have equal names
  for (const CampaignParts& each : parts) {
    add_counts(each.log, state);
    state.seconds = std::max(state.seconds, each.seconds);
    if (!each.has_ended) state.cut_off.push_back(each.corpus);
    for (const std::string& artifact : artifacts_in(each.log)) {
      const std::string copy = options.log + "/" + fs::path(artifact).filename().string();
      fs::copy_file(artifact, copy, fs::copy_options::overwrite_existing);
      copies.insert(copy);
    }
  }
  state.crashes.assign(copies.begin(), copies.end());
  state.found = NewFindings(options.log);
  write_output_file(options.log + "/" + std::string(fuzz::kFindingsFile), findings_of(parts));
  state.found.catch_up();
  state.signatures = state.found.signatures();
  state.coverage = coverage_of(parts);
  state.features = std::max(state.features, merge_corpora(parts, options));
  state.corpus = count_files(options.corpus);
  return state;
}

}  // namespace upcast::tools
