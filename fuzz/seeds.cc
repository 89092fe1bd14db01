#include "fuzz/seeds.h"

namespace upcast::fuzz {

extern const char kSeedLines[];

std::vector<std::string> seed_lines() {
  std::vector<std::string> lines;
  std::string_view rest = kSeedLines;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    if (!line.empty() && !line.starts_with('#')) lines.emplace_back(line);
  }
  return lines;
}

}  // namespace upcast::fuzz
