// The committed seeds: case lines (fuzz/seeds/*.cases), which outlive the codec.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::fuzz {

/// The lines, without comments.
std::vector<std::string> seed_lines();

/// Inputs of the target under way that are no lines; a target may define it.
std::vector<std::vector<std::uint8_t>> own_seeds();

/// A line as an input of the target under way; each target defines it. Throws UsageError for a line
/// that is no case.
std::vector<std::uint8_t> input_of(std::string_view line);
/// An input of the target under way as text that reproduces it.
std::string text_of_input(const std::vector<std::uint8_t>& input);

}  // namespace upcast::fuzz
