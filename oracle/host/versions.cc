#include "oracle/host/versions.h"

#include <sys/utsname.h>

#include <fstream>

#ifndef UPCAST_VERSION
#error "the build defines UPCAST_VERSION"
#endif

namespace upcast {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  std::string text = std::string(names.sysname) + " " + names.release + " " + names.machine;
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("PRETTY_NAME=", 0) != 0) continue;
    std::string pretty = line.substr(12);
    std::erase(pretty, '"');
    return pretty.append(", ").append(text);
  }
  return text;
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
