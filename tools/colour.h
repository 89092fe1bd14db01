// Decides whether output has colours. No other code does.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace upcast::tools {

enum class Tone : std::uint8_t {
  kGood,   // green: right
  kKnown,  // yellow: a difference that is declared
  kBad,    // red: wrong, or an error
  kFaint   // grey: details, or nothing to say
};

/// Whether output to a stream has colours: the stream must be a terminal that supports them. A
/// variable NO_COLOR that is not empty forbids them (no-color.org). CLICOLOR_FORCE that is not
/// empty or 0 enables them in pipes too.
bool has_colour(std::FILE* to);

/// The text in the colour of a tone, if the stream has colours; else the text as it is.
std::string painted(std::FILE* to, Tone tone, std::string_view text);

}  // namespace upcast::tools
