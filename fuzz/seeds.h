// The committed seeds: case lines (fuzz/seeds/*.cases), which stay when the codec changes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::fuzz {

/// The lines, without comments.
std::vector<std::string> seed_lines();

/// Inputs of this program's target that are no case lines. A target may define it.
std::vector<std::vector<std::uint8_t>> own_seeds();

/// A line as an input of this program's target. Each target defines it. Throws UsageError for a
/// line that is no case.
std::vector<std::uint8_t> input_of(std::string_view line);
/// An input of this program's target, as text that reproduces it.
std::string text_of_input(const std::vector<std::uint8_t>& input);

}  // namespace upcast::fuzz
