// "did you mean": the nearest known word to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace upcast {

/// The candidate with the fewest edits (insert, delete, replace, swap of neighbours), where they
/// are at most a third of the word's length, at least one; "" where none is that near.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

/// "; did you mean NEAREST?", or "" where nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace upcast
