#include "tools/known_file.h"

#include <fstream>
#include <iterator>

#include "impl/core/error.h"
#include "oracle/side.h"

namespace upcast::tools {

/// The texts of known_differences.toml and compiler_differences.toml, which CMake embeds.
extern const char kBuiltInKnownDifferences[];

KnownFile load_known_file(const std::string& path) {
  KnownFile file;
  if (path.empty()) {
    file.name = "cases/known_differences.toml";
    file.text = kBuiltInKnownDifferences;
  } else {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw UsageError(path + ": cannot be read; give --known a file that exists");
    file.name = path;
    file.text.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  file.differences = parse_known_differences(file.text, file.name);
  return file;
}

std::vector<KnownDifference> without_frameworks(std::vector<KnownDifference> entries) {
  std::erase_if(entries, [](const KnownDifference& entry) {
    return parse_side(entry.subject).vendor == Vendor::kPython;
  });
  return entries;
}

}  // namespace upcast::tools
