#include "fuzz/seeds.h"

#include "cases/text_file.h"

namespace upcast::fuzz {

extern const char kSeedLines[];

std::vector<std::string> seed_lines() {
  const std::vector<std::string_view> lines = data_lines(kSeedLines);
  return {lines.begin(), lines.end()};
}

}  // namespace upcast::fuzz
