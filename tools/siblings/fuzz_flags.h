// The flags of `upcast fuzz`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace upcast::tools {

struct CampaignOptions {
  std::string target = "elementwise";
  std::string engine;   // path of the program with libFuzzer and the target
  std::string corpus;   // a folder of inputs, made if it does not exist
  std::string log;      // a folder for findings, progress and the engines' own output
  std::string subject;  // a side's name; "": the target's own
  std::string oracle;
  double seconds = 60;    // time limit of the campaign; 0: none
  std::int64_t runs = 0;  // inputs of each job; 0: no limit
  int jobs = 1;
  std::uint64_t seed = 1;
  bool guard = true;                                  // whether an engine survives traps of a case
  double follow_up = 120;                             // seconds to minimise findings (follow_up.h)
  std::int64_t memory_limit = std::int64_t{4} << 30;  // bytes of memory of an engine; 0: no limit
  std::string exchange;    // a folder that several campaigns share; "": none
  double prune_every = 0;  // seconds between prunings of `exchange`; 0: never
  double stuck = 90;       // seconds without a case after which an engine is replaced
};

/// Sets the corpus and the log if the user named none. If `runs` is given, sets `seconds` to 0.
void settle(CampaignOptions& options);

struct FuzzFlags {
  CampaignOptions campaign;
  std::string json_out;
  std::string replay;               // a chain as text, to ask instead of a campaign
  std::vector<std::string> merged;  // corpora of campaigns to merge
  bool list = false, no_guard = false;
};

void add_fuzz_flags(CLI::App& app, FuzzFlags& flags);

}  // namespace upcast::tools
