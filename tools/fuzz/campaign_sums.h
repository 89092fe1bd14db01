// What the processes of a campaign left in its log, added up.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "tools/fuzz/campaign.h"

namespace upcast::tools {

/// Adds the counts of all its processes, dead ones too, as they stood at their last tick; of
/// features, the most that one engine of any log has counted.
void add_counts(const std::string& log, CampaignState& sums);

/// The cases of one process.
std::int64_t cases_of(const std::string& log, pid_t pid);

/// Whether a file of this name in a log is an engine's output.
bool is_engine_output(const std::string& name);

/// The last number after `word` in the end of a file: "ft:" of libFuzzer's output. 0 where there is
/// none.
std::int64_t last_number_after(const std::string& word, const std::string& file);

}  // namespace upcast::tools
