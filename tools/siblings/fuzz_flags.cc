#include "tools/siblings/fuzz_flags.h"

#include "tools/command_line.h"

namespace upcast::tools {
namespace {

constexpr const char* kFuzzExamples =
    "Examples:\n"
    "  upcast fuzz --time 60\n"
    "  upcast fuzz --target chain --time 3600 --jobs 4 --corpus corpora/chain\n"
    "  upcast fuzz --runs 200000 --seed 1337 --json -      # the same twice, with one job\n"
    "  upcast fuzz --oracle 'libtorch:cpu?capability=native' --time 600\n"
    "  upcast fuzz --target chain --subject 'python:torch?via=compile' --time 1200\n"
    "  upcast fuzz --runs 1000000 --exchange shared --corpus node1/corpus   # on each machine\n"
    "  upcast fuzz --merge node*/corpus --exchange shared --corpus all --json all.json\n"
    "Exit codes: 0 nothing unexplained, 1 findings, 2 usage or harness fault, 3 incomplete.";

}  // namespace

void settle(CampaignOptions& options) {
  if (options.corpus.empty()) options.corpus = "upcast-corpus/" + options.target;
  while (options.corpus.size() > 1 && options.corpus.ends_with('/')) options.corpus.pop_back();
  if (options.log.empty()) options.log = options.corpus + ".log";
  if (options.runs > 0) options.seconds = 0;
}

void add_fuzz_flags(CLI::App& app, FuzzFlags& flags) {
  CampaignOptions& campaign = flags.campaign;
  app.add_flag("--list", flags.list, "The targets");
  app.add_option("--target", campaign.target, "What to fuzz")->capture_default_str();
  app.add_option("--time", campaign.seconds, "Seconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--runs", campaign.runs, "Inputs for each job, instead of --time")
      ->check(CLI::PositiveNumber);
  app.add_option("--jobs", campaign.jobs, "Processes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--corpus", campaign.corpus,
                 "The folder of inputs, which grows (upcast-corpus/TARGET)");
  app.add_option("--log", campaign.log,
                 "The folder for findings and the engines' output (CORPUS.log)");
  app.add_option("--exchange", campaign.exchange,
                 "A folder, on a network file system too, through which campaigns of several "
                 "machines share inputs");
  app.add_option("--prune-every", campaign.prune_every,
                 "Seconds after which this campaign prunes that folder; of one campaign only (0)")
      ->check(CLI::NonNegativeNumber);
  app.add_option(
      "--merge", flags.merged,
      "Corpora of campaigns that have ended or were killed: as one campaign, in --corpus");
  app.add_option("--seed", campaign.seed, "Seed of the random choices")->capture_default_str();
  app.add_option("--subject", campaign.subject, "The subject, instead of the target's own");
  app.add_option("--oracle", campaign.oracle, "The oracle, instead of the target's own");
  app.add_flag("--no-guard", flags.no_guard,
               "Let a trap (such as SIGFPE) end the engine instead of counting as an answer");
  app.add_option("--stuck", campaign.stuck,
                 "Replace an engine that finishes no case for so many seconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_memory_limit_option(app, "Memory that an engine may hold: 500MiB, none [4GiB]",
                          [&campaign](std::int64_t bytes) { campaign.memory_limit = bytes; });
  app.add_option("--follow-up", campaign.follow_up,
                 "Seconds for simplifying the findings; 0 leaves them as they were found")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--replay", flags.replay,
                 "Ask one chain once, written as a finding prints it: 'exp(float32[2]); [takes 1] "
                 "neg(float32[2])'");
  add_json_option(app, flags.json_out);
  app.footer(kFuzzExamples);
}

}  // namespace upcast::tools
