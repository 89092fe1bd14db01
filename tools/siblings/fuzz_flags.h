// The flags of `upcast fuzz`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace upcast::tools {

struct CampaignOptions {
  std::string target = "elementwise";
  std::string engine;   // the program with libFuzzer and the target
  std::string corpus;   // a folder of inputs, made if it does not exist
  std::string log;      // a folder for findings, progress and the engines' own output
  std::string subject;  // other sides than the target's own, or ""
  std::string oracle;
  double seconds = 60;    // 0: until `runs`
  std::int64_t runs = 0;  // inputs of each job; 0: until `seconds`
  int jobs = 1;
  std::uint64_t seed = 1;
  bool guard = true;                                  // whether traps are survived in the process
  double follow_up = 120;                             // seconds for what follows (follow_up.h)
  std::int64_t memory_limit = std::int64_t{4} << 30;  // bytes that an engine may hold; 0: no limit
  std::string exchange;    // a folder that campaigns of several machines share, or ""
  double prune_every = 0;  // seconds between prunings of that folder; 0: others prune it
  double stuck = 90;       // seconds without a case after which an engine is replaced
};

/// Sets corpus and log if none are named, and ends a campaign with `runs` by these.
void settle(CampaignOptions& options);

struct FuzzFlags {
  CampaignOptions campaign;
  std::string json_out;
  std::string replay;               // a chain as text, which is asked in place of a campaign
  std::vector<std::string> merged;  // corpora of campaigns to merge, with their logs
  bool list = false, no_guard = false;
};

void add_fuzz_flags(CLI::App& app, FuzzFlags& flags);

}  // namespace upcast::tools
