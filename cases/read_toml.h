// TOML that a user, or somebody else, wrote.
#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace upcast {

/// Its texts are visible(); keys are not, and stand in messages alone. Throws UsageError, with the
/// file and the line, for what is no TOML and for what is beyond kMaxTomlFile and kMaxDottedKey.
toml::table read_toml(std::string_view text, std::string_view file);

}  // namespace upcast
