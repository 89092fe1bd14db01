// Chooses where a run's store is: in the file that the user named, or in one that is deleted at the
// end.
#pragma once

#include <optional>
#include <string>

#include "impl/core/temporary_folder.h"

namespace upcast::tools {

/// The path of a run store. A temporary store is deleted, with its folder, when this object ends.
class StorePath {
 public:
  /// Takes the path `out`. If it is "", makes a temporary folder for the store; throws UsageError
  /// if that fails.
  explicit StorePath(const std::string& out) : path_(out) {
    if (out.empty()) path_ = folder_.emplace() / "run.db";
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<TemporaryFolder> folder_;
};

}  // namespace upcast::tools
