#include "oracle/protocol/python_subject.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "impl/core/error.h"
#include "oracle/protocol/process_subject.h"

namespace upcast::protocol {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "python:";

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

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
  });
}

}  // namespace

FrameworkName parse_framework(std::string_view name) {
  std::string_view rest = name.substr(name.starts_with(kPrefix) ? kPrefix.size() : 0);
  FrameworkName parsed;
  if (const auto question = rest.find('?'); question != rest.npos) {
    parsed.settings = rest.substr(question + 1);
    rest = rest.substr(0, question);
  }
  const auto equals = rest.find("==");
  if (equals != rest.npos) parsed.version = rest.substr(equals + 2);
  parsed.framework = rest.substr(0, equals);
  if (!is_word(parsed.framework) || (equals != rest.npos && !is_word(parsed.version)))
    throw UsageError(fmt::format(
        "'{}' names no framework; write python:numpy, python:torch==2.5.1 or python:torch?via=refs",
        name));
  return parsed;
}

std::string framework_command(const FrameworkName& name) {
  // ci/frameworks.sh makes the link of the pinned version, numpy -> numpy-2.4.6
  const std::string folder =
      name.version.empty() ? name.framework : name.framework + "-" + name.version;
  const fs::path python = frameworks_folder() / folder / "bin" / "python";
  if (access(python.c_str(), X_OK) != 0)
    throw UsageError(fmt::format("python:{0} has no environment in {1}; run: ci/frameworks.sh {0}",
                                 name.framework + (name.version.empty() ? "" : "==" + name.version),
                                 frameworks_folder().string()));
  return fmt::format("env PYTHONPATH={} {} -m upcast_adapters {} {}",
                     shell_quoted(package_folder().string()), shell_quoted(python.string()),
                     name.framework, shell_quoted(name.settings));
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

std::unique_ptr<Subject> make_python_subject(std::string_view name) {
  return std::make_unique<ProcessSubject>(std::string(name),
                                          framework_command(parse_framework(name)));
}

}  // namespace upcast::protocol
