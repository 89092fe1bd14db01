// Where a run's store is: the file that the user named, or one that goes with the run.
#pragma once

#include <optional>
#include <string>

#include "impl/core/temporary_folder.h"

namespace upcast::tools {

/// The store's path; a temporary one goes with its folder.
class StorePath {
 public:
  /// `out` "" makes a temporary folder. Throws UsageError where there is none to be had.
  explicit StorePath(const std::string& out) : path_(out) {
    if (out.empty()) path_ = folder_.emplace() / "run.db";
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<TemporaryFolder> folder_;
};

}  // namespace upcast::tools
