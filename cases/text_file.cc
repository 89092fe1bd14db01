#include "cases/text_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>

#include "cases/limits.h"
#include "cases/text_cursor.h"
#include "impl/core/error.h"

namespace upcast {

std::string read_text_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  std::string text;
  if (file) {
    std::array<char, 65536> buffer;
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
      if (text.size() + n > kMaxTextFile)
        throw UsageError(path + ": has more than 256 MiB: '" + beginning(text) + "'");
      text.append(buffer.data(), n);
    }
  }
  if (!file || std::ferror(file.get()))
    throw UsageError(path + ": cannot be read (" + std::strerror(errno) + ")");
  return text;
}

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string_view> data_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  return lines;
}

}  // namespace upcast
