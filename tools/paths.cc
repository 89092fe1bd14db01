#include "tools/paths.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "impl/core/error.h"
#include "tools/missing_part.h"

namespace upcast::tools {
namespace {

std::filesystem::path beside(const std::string& name) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name;
}

}  // namespace

bool has_sibling(const std::string& name) { return access(beside(name).c_str(), X_OK) == 0; }

std::string sibling_program(const std::string& name) {
  if (!has_sibling(name) && !(build_missing(name) && has_sibling(name))) {
    throw UsageError(beside(name).string() + " is missing: this installation lacks it");
  }
  return beside(name).string();
}

std::string worker_program() {
  const char* chosen = std::getenv("UPCAST_WORKER");
  return chosen != nullptr && *chosen != '\0' ? chosen : sibling_program("upcast-worker");
}

}  // namespace upcast::tools
