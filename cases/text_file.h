// A small text file as a string.
#pragma once

#include <filesystem>
#include <string>

namespace upcast {

/// Throws UsageError where it cannot be read.
std::string read_text_file(const std::string& path);

/// The same, but "" where it cannot be read.
std::string file_text(const std::filesystem::path& path);

}  // namespace upcast
