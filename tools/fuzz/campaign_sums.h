// Adds up what the processes of a campaign wrote into its log.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

/// Adds the counts that a campaign's processes wrote to `log` to `sums`, also those of processes
/// that died. Features are not added: sums.features becomes the most that one engine has counted.
void add_counts(const std::string& log, CampaignState& sums);

/// The cases that one process has judged so far, by the file that it writes to `log`; 0 if there is
/// none.
std::int64_t cases_of(const std::string& log, pid_t pid);

/// Whether a file of a campaign's log is the output of an engine, by its name.
bool is_engine_output(const std::string& name);

/// The last number that follows `word` near the end of a file, such as the features after "ft:" in
/// libFuzzer's output. 0 if there is none.
std::int64_t last_number_after(const std::string& word, const std::string& file);

}  // namespace upcast::tools
