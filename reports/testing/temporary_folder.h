#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "impl/core/error.h"

namespace upcast::reports::testing {

/// A fresh folder under the system's temporary folder, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "upcast-XXXXXX").string();
    check(mkdtemp(path_.data()) != nullptr, "a temporary folder");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace upcast::reports::testing
