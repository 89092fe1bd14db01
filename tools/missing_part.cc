#include "tools/missing_part.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "impl/core/error.h"
#include "oracle/modules/modules.h"
#include "oracle/process/child.h"
#include "tools/paths.h"

namespace upcast::tools {
namespace {

/// The path of a build folder's source tree; empty if the folder is not a build folder.
std::string source_of(const std::filesystem::path& build) {
  constexpr std::string_view kKey = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  std::ifstream cache(build / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);)
    if (line.starts_with(kKey)) return line.substr(kKey.size());
  return "";
}

}  // namespace

bool build_missing(const std::string& target) {
  const std::string build = programs_folder().parent_path().string();
  const std::string source = source_of(build);
  const std::string script = source + "/ci/provide.sh";
  if (source.empty() || access(script.c_str(), X_OK) != 0) return false;
  Child child({.command = {script, build, target}, .interrupt = Interrupt::kShared});
  if (!child.wait().exited_with(0))
    throw UsageError("building " + target + " failed; run: " + script + " " + build + " " + target);
  return true;
}

void build_missing_module(const Side& side) {
  const bool is_module =
      side.vendor == Vendor::kUpcast && (side.target == "cuda" || side.target == "emulated");
  if (is_module && !std::filesystem::exists(module_file(side.target)))
    build_missing("upcast_" + side.target + "_module");
}

}  // namespace upcast::tools
