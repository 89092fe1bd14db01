// Decides whether output has colours. No other code does.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace upcast::tools {

enum class Tone : std::uint8_t {
  kGood,   // as it should be: green
  kKnown,  // differs, and is declared: yellow
  kBad,    // wrong, or an error: red
  kFaint   // says nothing: grey
};

/// Whether output to this stream has colours: it is a terminal that supports them. A variable
/// NO_COLOR that is not empty forbids them (no-color.org). CLICOLOR_FORCE that is not empty or 0
/// enables them in pipes too.
bool has_colour(std::FILE* to);

/// The text in a colour, if the stream has colours.
std::string painted(std::FILE* to, Tone tone, std::string_view text);

}  // namespace upcast::tools
