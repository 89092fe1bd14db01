#include "oracle/protocol/python_subject.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "impl/core/error.h"
#include "oracle/protocol/command_files.h"
#include "oracle/protocol/process_subject.h"

namespace upcast::protocol {
namespace {

namespace fs = std::filesystem;

/// The folder of the environments that ci/frameworks.sh makes:
/// ${XDG_CACHE_HOME:-~/.cache}/upcast/frameworks. Empty if neither variable is set, so that no
/// program of the current folder is run by accident.
fs::path frameworks_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return fs::path(cache) / "upcast" / "frameworks";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".cache" / "upcast" / "frameworks";
}

/// The folder of the adapters: $UPCAST_PYTHON, or next to this program's folder, or in the source
/// tree.
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

/// The name of the environment for python:NAME. Kernels as functions need torch's environment.
std::string_view environment_of(std::string_view target) {
  return target == "functions" ? "torch" : target;
}

/// The Python of the environment that ci/frameworks.sh has made for the side. Throws UsageError if
/// there is none.
std::string pinned_python(const Side& side) {
  // ci/frameworks.sh makes a link for the pinned version: numpy -> numpy-2.4.6
  const std::string framework(environment_of(side.target));
  const std::string folder = framework + (side.version.empty() ? "" : "-" + side.version);
  const fs::path frameworks = frameworks_folder();
  if (frameworks.empty())
    throw UsageError(
        fmt::format("python:{0} has no environment, because there is no home folder; set HOME or "
                    "XDG_CACHE_HOME, or name your own interpreter: python:{0}?python=python3",
                    side.target));
  const fs::path python = frameworks / folder / "bin" / "python";
  if (access(python.c_str(), X_OK) == 0) return python;
  throw UsageError(fmt::format(
      "python:{0} has no environment in {2}; run: ci/frameworks.sh {1}, or name your own "
      "interpreter: python:{3}?python=python3",
      side.target + (side.version.empty() ? "" : "==" + side.version),
      framework + (side.version.empty() ? "" : "==" + side.version), frameworks.string(),
      side.target));
}

/// The Python that ?python= names: a path, or a program on PATH. Throws UsageError if there is
/// none.
std::string chosen_python(const Side& side) {
  std::string python(side.setting("python"));
  if (!side.version.empty())
    throw UsageError(
        fmt::format("{}: give a version or an interpreter, not both", to_string(side)));
  const char* const home = std::getenv("HOME");
  if (python.starts_with("~/") && home != nullptr) python = home + python.substr(1);
  if (!found_program(python).empty()) return python;
  const bool is_path = python.find('/') != std::string::npos;
  throw UsageError(fmt::format("there is no interpreter {}{} (python= of {})", python,
                               is_path ? "" : " on PATH", to_string(side)));
}

}  // namespace

std::string framework_command(const Side& side) {
  const bool is_chosen = !side.setting("python").empty();
  std::string settings;
  for (const auto& [key, value] : side.settings)
    if (key != "python")
      settings += fmt::format("{}{}={}", settings.empty() ? "" : "&", key, value);
  // A Python that the user has chosen keeps the user's PYTHONPATH.
  const char* const path = is_chosen ? std::getenv("PYTHONPATH") : nullptr;
  const std::string python = is_chosen ? chosen_python(side) : pinned_python(side);
  return fmt::format(
      "env PYTHONPATH={} {} -m upcast_adapters {} {}",
      shell_quoted(package_folder().string() + (path == nullptr || *path == '\0' ? "" : ":") +
                   (path == nullptr ? "" : path)),
      shell_quoted(python), shell_quoted(side.target), shell_quoted(settings));
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
