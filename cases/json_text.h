// Reads JSON that others wrote, and writes our own.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace upcast {

/// Reads JSON that someone else wrote. Discarded if the text is no JSON, nests deeper than
/// kMaxNesting or has more than kMaxElements elements. Its texts and keys are visible().
nlohmann::json read_json(std::string_view text);

/// JSON as valid UTF-8 in which nothing steers a terminal: characters that cannot be seen are
/// written \uXXXX. Broken UTF-8 becomes U+FFFD.
template <class Json>
std::string dump_json(const Json& json, int indent = -1);

extern template std::string dump_json(const nlohmann::json&, int);
extern template std::string dump_json(const nlohmann::ordered_json&, int);

}  // namespace upcast
