// Starts an engine so that it merges corpora and does not fuzz.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oracle/process/child.h"
#include "tools/siblings/fuzz_flags.h"

namespace upcast::tools {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Environment variables that keep an engine from writing findings, as in a merge: its findings are
/// known already, or will be found again.
Variables silent_environment(const CampaignOptions& options);

/// libFuzzer's option for the memory limit, in MiB, rounded up so that a small limit does not
/// become 0, which means no limit.
std::string rss_limit(const CampaignOptions& options);

/// The engine as a process that copies inputs of `folders` into the empty folder `into`. It takes
/// the shortest first, and leaves out those that add no feature.
ChildSetup corpus_merger(const CampaignOptions& options, const std::string& into,
                         const std::vector<std::string>& folders, const std::string& output);

/// The number of features of all merged inputs, read from the merger's output file; 0 if that does
/// not say.
std::int64_t merged_features(const std::string& output);

std::int64_t count_files(const std::string& folder);

/// Makes a folder, with its parents, if it does not exist. Throws UsageError if that fails.
void make_folder(const std::string& folder);

}  // namespace upcast::tools
