// Reads JSON that others wrote, and writes ours.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace upcast {

/// JSON that somebody else wrote; discarded where it is none, nests deeper than kMaxNesting or has
/// more than kMaxElements elements. Its texts and keys are visible().
nlohmann::json read_json(std::string_view text);

/// Valid UTF-8 in which nothing steers a terminal: what cannot be seen is written \uXXXX. Broken
/// UTF-8 becomes U+FFFD.
template <class Json>
std::string dump_json(const Json& json, int indent = -1);

extern template std::string dump_json(const nlohmann::json&, int);
extern template std::string dump_json(const nlohmann::ordered_json&, int);

}  // namespace upcast
