#include "tools/program_digests.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "cases/visible.h"
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

std::string program_digests(const std::vector<std::string>& files) {
  std::set<std::string> digests;
  for (const std::string& file : std::set(files.begin(), files.end()))
    digests.insert(visible(std::filesystem::path(file).filename().string()) + " " +
                   digest_of_file(file));
  return fmt::format("{}", fmt::join(digests, ", "));
}

}  // namespace upcast::tools
