// "did you mean": the nearest known word to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace upcast {

/// The candidate with the fewest edits (insert, delete, replace, swap of neighbours). "" if it
/// needs more edits than a third of the word's length, and more than one.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

/// "; did you mean NEAREST?"; "" if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace upcast
