// A small text file as a string.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace upcast {

/// Throws UsageError where it cannot be read, and where it has more than kMaxTextFile.
std::string read_text_file(const std::string& path);

/// The same, but "" where it cannot be read.
std::string file_text(const std::filesystem::path& path);

/// The lines of a text, which they look into, without empty ones and those that begin with '#'.
std::vector<std::string_view> data_lines(std::string_view text);

}  // namespace upcast
