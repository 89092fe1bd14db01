// The engine as a program that merges corpora.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oracle/process/child.h"
#include "tools/siblings/fuzz_flags.h"

namespace upcast::tools {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// The environment of an engine whose findings do not count: they are known, or are found again.
Variables silent_environment(const CampaignOptions& options);

/// The memory limit in MiB, rounded up: libFuzzer takes 0 for no limit.
std::string rss_limit(const CampaignOptions& options);

/// Lays those inputs of `folders` into the empty folder `into` that have a feature of their own,
/// the shortest first.
ChildSetup corpus_merger(const CampaignOptions& options, const std::string& into,
                         const std::vector<std::string>& folders, const std::string& output);

/// The features of all the inputs, as the merger's output counts them.
std::int64_t merged_features(const std::string& output);

std::int64_t count_files(const std::string& folder);

/// Throws UsageError where it cannot.
void make_folder(const std::string& folder);

}  // namespace upcast::tools
