#include "tools/write_file.h"

#include <fmt/format.h>

namespace upcast::tools {

void write_outputs(std::vector<OutputFile> files) {
  std::erase_if(files, [](const OutputFile& file) { return file.path.empty(); });
  std::string printed;
  for (const OutputFile& file : files)
    if (file.path == "-") printed += file.text;
  std::erase_if(files, [](const OutputFile& file) { return file.path == "-"; });
  write_output_files(files);
  fmt::print("{}", printed);
}

void write_output(const std::string& path, const std::string& text) {
  write_outputs({{path, text}});
}

std::FILE* people(const std::string& path) { return path == "-" ? stderr : stdout; }

}  // namespace upcast::tools
