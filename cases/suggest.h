// Finds the known word that is nearest to a mistyped one, for "did you mean".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace upcast {

/// The candidate that takes the fewest edits to reach (insert, delete, replace, swap of
/// neighbours). "" if it takes more than one edit, and more than a third of the word's length, or
/// if the word has more than 64 characters.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

/// The text "; did you mean NEAREST?"; "" if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace upcast
