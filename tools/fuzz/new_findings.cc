#include "tools/fuzz/new_findings.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cases/json_text.h"
#include "fuzz/finding_log.h"

namespace upcast::tools {

NewFindings::NewFindings(const std::string& log)
    : file_(log + "/" + std::string(fuzz::kFindingsFile)) {
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(file_, missing);
  if (!missing) read_ = static_cast<std::int64_t>(size);
}

void NewFindings::catch_up() {
  std::ifstream file(file_, std::ios::binary);
  file.seekg(read_);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find('\n', start);
    if (end == text.npos) return;
    const auto row = read_json(std::string_view(text).substr(start, end - start));
    read_ += static_cast<std::int64_t>(end + 1 - start);
    start = end + 1;
    if (row.is_object() && hashes_.insert(row.value("hash", 0U)).second) rows_.push_back(row);
  }
}

}  // namespace upcast::tools
