#include "tools/store_path.h"

#include <cstdlib>
#include <filesystem>

#include "impl/core/error.h"

namespace upcast::tools {

StorePath::StorePath(const std::string& out) : path_(out) {
  if (!out.empty()) return;
  std::string name = (std::filesystem::temp_directory_path() / "upcast-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw UsageError("cannot write to " + name + "; set TMPDIR to a folder that can be written");
  }
  folder_ = name;
  path_ = name + "/run.db";
}

StorePath::~StorePath() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace upcast::tools
