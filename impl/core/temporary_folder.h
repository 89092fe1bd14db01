#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "impl/core/error.h"

namespace upcast {

/// A new folder in the system's temporary folder. The destructor removes it with all that it holds.
class TemporaryFolder {
 public:
  /// Throws UsageError if the folder cannot be made.
  TemporaryFolder() {
    std::error_code error;
    const std::filesystem::path system = std::filesystem::temp_directory_path(error);
    path_ = (system / "upcast-XXXXXX").string();
    if (error || mkdtemp(path_.data()) == nullptr) {
      throw UsageError("cannot make a temporary folder" + (error ? "" : " in " + system.string()) +
                       "; set TMPDIR to a folder that can be written");
    }
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

}  // namespace upcast
