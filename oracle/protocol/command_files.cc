#include "oracle/protocol/command_files.h"

#include <unistd.h>
#include <wordexp.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace upcast::protocol {
namespace {

namespace fs = std::filesystem;

bool is_program(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string found_program(const std::string& program) {
  if (program.find('/') != std::string::npos) return is_program(program) ? program : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = fs::path(folder) / program; is_program(file)) return file;
  return "";
}

std::vector<std::string> files_of_command(const std::string& command) {
  wordexp_t words{};
  std::vector<std::string> files;
  if (wordexp(command.c_str(), &words, WRDE_NOCMD) == 0 && words.we_wordc > 0) {
    if (std::string program = found_program(words.we_wordv[0]); !program.empty())
      files.push_back(std::move(program));
    std::error_code error;
    for (std::size_t i = 1; i < words.we_wordc; ++i)
      if (fs::is_regular_file(words.we_wordv[i], error)) files.emplace_back(words.we_wordv[i]);
  }
  wordfree(&words);
  return files;
}

}  // namespace upcast::protocol
