#include "oracle/protocol/command_files.h"

#include <wordexp.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace upcast::protocol {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// The file that a shell runs for a command's first word; "" if there is none.
std::string program_of(const std::string& word) {
  if (word.find('/') != std::string::npos) return is_file(word) ? word : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder) / word; is_file(file)) return file.string();
  return "";
}

}  // namespace

std::vector<std::string> files_of_command(const std::string& command) {
  wordexp_t words{};
  std::vector<std::string> files;
  if (wordexp(command.c_str(), &words, WRDE_NOCMD) == 0) {
    for (std::size_t i = 0; i < words.we_wordc; ++i) {
      const std::string word = words.we_wordv[i];
      const std::string file = i == 0 ? program_of(word) : is_file(word) ? word : "";
      if (!file.empty()) files.push_back(file);
    }
  }
  wordfree(&words);
  return files;
}

}  // namespace upcast::protocol
