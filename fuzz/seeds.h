// The committed seeds are case lines (fuzz/seeds/*.cases): they stay valid when the codec changes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::fuzz {

/// The lines of all seed files, without comments.
std::vector<std::string> seed_lines();

/// Seeds of this program's target that are no case lines. A target may define this function.
std::vector<std::vector<std::uint8_t>> own_seeds();

/// A case line as an input of this program's target. Each target defines this function. Throws
/// UsageError for a line that is no case.
std::vector<std::uint8_t> input_of(std::string_view line);
/// An input of this program's target as text, from which the input can be made again.
std::string text_of_input(const std::vector<std::uint8_t>& input);

}  // namespace upcast::fuzz
