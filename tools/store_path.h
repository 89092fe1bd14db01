// Where a run's store is: the file that the user named, or one that goes with the run.
#pragma once

#include <string>

namespace upcast::tools {

/// The store's path; a temporary one goes with its folder.
class StorePath {
 public:
  /// `out` "" makes a temporary folder. Throws UsageError where there is none to be had.
  explicit StorePath(const std::string& out);
  ~StorePath();
  StorePath(const StorePath&) = delete;
  StorePath& operator=(const StorePath&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string folder_;
};

}  // namespace upcast::tools
