#include "tools/program_digests.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "reports/xxh64.h"

namespace upcast::tools {
namespace {

std::string digest_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "unknown";
  reports::Xxh64 digest;
  std::vector<char> piece(1 << 20);
  do {
    file.read(piece.data(), std::ssize(piece));
    digest.update({piece.data(), static_cast<std::size_t>(file.gcount())});
  } while (file);
  return file.eof() ? fmt::format("{:016x}", digest.digest()) : "unknown";
}

}  // namespace

std::string program_digests(std::vector<std::string> files) {
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::string text;
  for (const std::string& file : files)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        std::filesystem::path(file).filename().string(), digest_of_file(file));
  return text;
}

}  // namespace upcast::tools
