// Reads TOML that a user, or someone else, wrote.
#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace upcast {

/// Reads a TOML document. Its texts are made visible(). Its keys are not: they appear in messages
/// only. Throws UsageError, with file and line, if the text is no TOML, or exceeds kMaxTomlFile or
/// kMaxDottedKey.
toml::table read_toml(std::string_view text, std::string_view file);

}  // namespace upcast
