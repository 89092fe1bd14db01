#include "tools/fuzz/corpus_merger.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "impl/core/error.h"
#include "tools/fuzz/quiet_program.h"

namespace upcast::tools {

namespace fs = std::filesystem;

Variables silent_environment(const CampaignOptions& options) {
  Variables variables{{"UPCAST_FUZZ_ON_FINDING", "log"}};
  if (!options.subject.empty()) variables.emplace_back("UPCAST_FUZZ_SUBJECT", options.subject);
  if (!options.oracle.empty()) variables.emplace_back("UPCAST_FUZZ_ORACLE", options.oracle);
  if (!options.guard) variables.emplace_back("UPCAST_FUZZ_NO_GUARD", "1");
  return variables;
}

std::string rss_limit(const CampaignOptions& options) {
  constexpr std::int64_t kMebibyte = 1 << 20;
  return fmt::format("-rss_limit_mb={}", (options.memory_limit + kMebibyte - 1) / kMebibyte);
}

ChildSetup corpus_merger(const CampaignOptions& options, const std::string& into,
                         const std::vector<std::string>& folders, const std::string& output) {
  std::vector<std::string> arguments{options.engine,
                                     "-merge=1",
                                     "-max_len=512",
                                     "-timeout=60",
                                     "-artifact_prefix=" + options.log + "/merge-",
                                     rss_limit(options),
                                     into};
  arguments.insert(arguments.end(), folders.begin(), folders.end());
  return quiet_program(std::move(arguments), output, silent_environment(options));
}

/// libFuzzer prints "MERGE-OUTER: 812 new files with 9411 new features added; 0 new coverage
/// edges".
std::int64_t merged_features(const std::string& output) {
  std::ifstream file(output);
  std::int64_t features = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(" new files with ");
    if (line.starts_with("MERGE-OUTER: ") && at != line.npos)
      features = std::strtoll(line.c_str() + at + 16, nullptr, 10);
  }
  return features;
}

std::int64_t count_files(const std::string& folder) {
  std::int64_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) count += entry.is_regular_file();
  return count;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw UsageError(folder + " is not a folder, and cannot be created: " + error.message());
}

}  // namespace upcast::tools
