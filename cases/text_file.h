// A small text file as a string.
#pragma once

#include <string>

namespace upcast {

/// Throws UsageError where it cannot be read.
std::string read_text_file(const std::string& path);

}  // namespace upcast
