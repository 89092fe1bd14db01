// Seeds of targets that read their bytes as they are: a seed is its own text.
#include "fuzz/seeds.h"

namespace upcast::fuzz {

std::vector<std::uint8_t> input_of(std::string_view line) { return {line.begin(), line.end()}; }

std::string text_of_input(const std::vector<std::uint8_t>& input) {
  return {input.begin(), input.end()};
}

}  // namespace upcast::fuzz
