// Reads TOML that a user, or someone else, wrote.
#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace upcast {

/// Reads a document. Its texts are visible(); its keys are not, and appear in messages alone.
/// Throws UsageError, with file and line, if it is no TOML, or above kMaxTomlFile or kMaxDottedKey.
toml::table read_toml(std::string_view text, std::string_view file);

}  // namespace upcast
