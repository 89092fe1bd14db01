#include "oracle/protocol/python_subject.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "impl/core/error.h"
#include "oracle/protocol/process_subject.h"

namespace upcast::protocol {
namespace {

namespace fs = std::filesystem;

/// ${XDG_CACHE_HOME:-~/.cache}/upcast/frameworks, where ci/frameworks.sh puts them.
fs::path frameworks_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path base = cache != nullptr && *cache != '\0'
                            ? fs::path(cache)
                            : fs::path(home == nullptr ? "" : home) / ".cache";
  return base / "upcast" / "frameworks";
}

/// The adapters, beside this program's folder or where it was built.
fs::path package_folder() {
  const char* chosen = std::getenv("UPCAST_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "share" / "upcast" / "python";
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string framework_command(const Side& side) {
  // ci/frameworks.sh makes the link of the pinned version, numpy -> numpy-2.4.6
  const std::string folder = side.target + (side.version.empty() ? "" : "-" + side.version);
  const fs::path python = frameworks_folder() / folder / "bin" / "python";
  if (access(python.c_str(), X_OK) != 0)
    throw UsageError(fmt::format("python:{0} has no environment in {1}; run: ci/frameworks.sh {0}",
                                 side.target + (side.version.empty() ? "" : "==" + side.version),
                                 frameworks_folder().string()));
  return fmt::format("env PYTHONPATH={} {} -m upcast_adapters {} {}",
                     shell_quoted(package_folder().string()), shell_quoted(python.string()),
                     shell_quoted(side.target), shell_quoted(settings_text(side)));
}

std::vector<std::string> framework_versions(std::string_view framework) {
  const std::string prefix = std::string(framework) + "-";
  std::vector<std::string> versions;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(frameworks_folder(), error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && access((entry.path() / "bin" / "python").c_str(), X_OK) == 0)
      versions.push_back(name.substr(prefix.size()));
  }
  return versions;
}

std::unique_ptr<Subject> make_python_subject(const Side& side) {
  return std::make_unique<ProcessSubject>(to_string(side), framework_command(side));
}

void register_process_subjects() {
  register_subject("process:", &make_process_subject);
  register_subject("python:", &make_python_subject);
}

}  // namespace upcast::protocol
