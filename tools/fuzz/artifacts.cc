#include "tools/fuzz/artifacts.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "cases/text_file.h"

namespace upcast::tools {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::set<std::string> artifacts_in(const std::string& log) {
  constexpr std::array<std::string_view, 3> kKinds{"crash-", "oom-", "timeout-"};
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(log)) {
    const std::string name = entry.path().filename().string();
    if (std::any_of(kKinds.begin(), kKinds.end(),
                    [&name](std::string_view kind) { return name.starts_with(kind); }))
      found.insert(entry.path().string());
  }
  return found;
}

void remove_input(const std::string& artifact, const std::vector<std::string>& folders) {
  const std::string bytes = file_text(artifact);
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) continue;
    std::vector<fs::path> same;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_regular_file() && entry.file_size() == bytes.size() &&
          file_text(entry.path()) == bytes)
        same.push_back(entry.path());
    for (const fs::path& path : same) fs::remove(path);
  }
}

}  // namespace upcast::tools
