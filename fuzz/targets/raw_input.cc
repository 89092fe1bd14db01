// For fuzz targets that read their bytes as text: the text of a seed is the input.
#include "fuzz/seeds.h"

namespace upcast::fuzz {

std::vector<std::uint8_t> input_of(std::string_view line) { return {line.begin(), line.end()}; }

std::string text_of_input(const std::vector<std::uint8_t>& input) {
  return {input.begin(), input.end()};
}

}  // namespace upcast::fuzz
