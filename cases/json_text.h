// Reads JSON that others wrote, and writes our own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace upcast {

/// Reads JSON that someone else wrote. The result is a discarded value (is_discarded()) if the text
/// is no JSON, nests deeper than kMaxNesting, or has more than kMaxElements elements. Texts and
/// keys are made visible().
nlohmann::json read_json(std::string_view text);

/// Writes JSON as valid UTF-8 that cannot steer a terminal: characters that cannot be seen are
/// written \uXXXX. Broken UTF-8 becomes U+FFFD.
template <class Json>
std::string dump_json(const Json& json, int indent = -1);

extern template std::string dump_json(const nlohmann::json&, int);
extern template std::string dump_json(const nlohmann::ordered_json&, int);

}  // namespace upcast
