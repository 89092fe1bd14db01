// Sizes of memory as people write them: "4GiB", "500MB", "none".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace upcast {

/// Reads a size in bytes; 0 for "none". Throws UsageError if the text is no size.
std::int64_t parse_byte_size(std::string_view text);

/// A size as people write it: "4 GiB", "1.5 MiB", "100 bytes".
std::string byte_size_text(std::int64_t bytes);

}  // namespace upcast
