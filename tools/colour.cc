#include "tools/colour.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace upcast::tools {
namespace {

/// The terminal's code for the colour of each tone (SGR, ECMA-48).
constexpr std::array<std::string_view, 4> kCodes{"32", "33", "31;1", "90"};

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool has_colour(std::FILE* to) {
  if (!variable("NO_COLOR").empty()) return false;
  const std::string_view forced = variable("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return isatty(fileno(to)) == 1 && variable("TERM") != "dumb";
}

std::string painted(std::FILE* to, Tone tone, std::string_view text) {
  if (text.empty() || !has_colour(to)) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(tone)], text);
}

}  // namespace upcast::tools
