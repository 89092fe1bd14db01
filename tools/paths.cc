#include "tools/paths.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "impl/core/error.h"
#include "tools/libtorch_home.h"
#include "tools/missing_part.h"

namespace upcast::tools {

std::filesystem::path programs_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

bool has_sibling(const std::string& name) {
  return access((programs_folder() / name).c_str(), X_OK) == 0;
}

std::string sibling_program(const std::string& name) {
  if (!has_sibling(name) && !(build_missing(name) && has_sibling(name))) {
    throw UsageError((programs_folder() / name).string() + " is missing from this installation");
  }
  return (programs_folder() / name).string();
}

std::string libtorch_program(const std::string& name) {
  std::string program = sibling_program(name);
  need_libtorch();
  return program;
}

std::string worker_program() {
  const char* chosen = std::getenv("UPCAST_WORKER");
  return chosen != nullptr && *chosen != '\0' ? chosen : libtorch_program("upcast-worker");
}

std::string resolve_side(std::string_view name) {
  Side side = parse_side(name);
  build_missing_module(side);
  if (side.vendor != Vendor::kPlugin) return to_string(side);
  std::error_code error;
  if (!std::filesystem::is_regular_file(side.target, error))
    throw UsageError("there is no plug-in " + side.target +
                     "; give the path of the shared library, such as plugin:build/libmine.so");
  side.target = std::filesystem::canonical(side.target).string();
  return to_string(side);
}

}  // namespace upcast::tools
