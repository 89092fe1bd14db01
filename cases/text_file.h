// Reads a small text file as a string.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace upcast {

/// The text of a file. Throws UsageError if it cannot be read, or has more than kMaxTextFile bytes.
std::string read_text_file(const std::string& path);

/// The text of a file; "" if it cannot be read.
std::string file_text(const std::filesystem::path& path);

/// The lines of a text, without empty ones and those that begin with '#'. They are views into the
/// text.
std::vector<std::string_view> data_lines(std::string_view text);

}  // namespace upcast
