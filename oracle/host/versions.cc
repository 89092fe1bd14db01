#include "oracle/host/versions.h"

#include <sys/utsname.h>

#include <fstream>

#ifndef UPCAST_VERSION
#error "the build defines UPCAST_VERSION"
#endif

namespace upcast {
namespace {

/// In a file, finds the first line that starts with `start`. Returns the rest of that line, or ""
/// if there is none.
std::string rest_of_line(const char* path, std::string_view start) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(start)) return line.substr(start.size());
  return "";
}

std::string cpu_model() {
  const std::string rest = rest_of_line("/proc/cpuinfo", "model name");
  const std::size_t colon = rest.find(": ");
  return colon == std::string::npos ? "unknown" : rest.substr(colon + 2);
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  const std::string text = std::string(names.sysname) + " " + names.release + " " + names.machine;
  std::string pretty = rest_of_line("/etc/os-release", "PRETTY_NAME=");
  std::erase(pretty, '"');
  return pretty.empty() ? text : pretty + ", " + text;
}

}  // namespace

std::map<std::string, std::string> machine_versions() {
#if defined(__clang__)
  const std::string compiler = "Clang " __clang_version__;
#else
  const std::string compiler = "GCC " __VERSION__;
#endif
  return {{"compiler", compiler}, {"cpu", cpu_model()}, {"os", system_name()}};
}

std::string_view upcast_version() { return UPCAST_VERSION; }

}  // namespace upcast
