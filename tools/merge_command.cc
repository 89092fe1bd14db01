#include <fmt/format.h>

#include <memory>

#include "cases/counted.h"
#include "cases/visible.h"
#include "reports/merge_runs.h"
#include "reports/shards.h"
#include "reports/summary.h"
#include "tools/command.h"
#include "tools/verdict_tone.h"

namespace upcast::tools {
namespace {

struct MergeOptions {
  std::vector<std::string> stores;
  std::string out;
  std::string least_judged;
};

/// Merges run stores into one. Prints which shards and blocks are missing, then the summary of the
/// whole. Returns the exit code.
int merge(const MergeOptions& options) {
  std::optional<reports::LeastJudged> least;
  if (!options.least_judged.empty()) least = reports::LeastJudged::parse(options.least_judged);
  const reports::MergeGaps gaps = reports::merge_runs(options.stores, options.out);
  for (const Shard& shard : gaps.missing_shards)
    fmt::print("missing: shard {}\n", shard_text(shard));
  for (const auto& [path, blocks] : gaps.partial)
    fmt::print("partial: {} lacks {}; its own command, started again, resumes it\n", path,
               counted(blocks, "block"));
  const reports::Summary summary = reports::summarize(reports::RunStore::open(options.out));
  fmt::print("{}\n{}\n", painted_summary(stdout, summary), visible(options.out));
  if (const std::string words = summary.too_little_words(least); !words.empty())
    fmt::print("{}\n", words);
  return static_cast<int>(summary.outlook(least));
}

}  // namespace

void add_merge_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("merge", "Join the shards of one run");
  auto options = std::make_shared<MergeOptions>();
  command->add_option("RUN.db", options->stores, "The run stores of the shards")->required();
  command->add_option("-o,--out", options->out, "The run store to write")->required();
  command->add_option("--min-judged", options->least_judged,
                      "Fail if fewer cases are judged than N, or than P% of all");
  command->callback([options, &action] { action = [options] { return merge(*options); }; });
}

}  // namespace upcast::tools
