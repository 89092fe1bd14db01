#include "tools/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "impl/core/error.h"

namespace upcast::tools {

void write_output(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  if (!(file << text).flush()) {
    throw UsageError(fmt::format("{}: cannot be written ({})", path, std::strerror(errno)));
  }
}

std::FILE* people(const std::string& path) { return path == "-" ? stderr : stdout; }

}  // namespace upcast::tools
