#include "oracle/host/versions.h"

#include <sys/utsname.h>

#include <array>
#include <charconv>
#include <fstream>

#include "impl/core/error.h"

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

using Parts = std::array<int, 4>;

/// The numbers of "2.15.0" or "2.15.0+cu132". False where it is not of that form.
bool parse_version(std::string_view text, Parts& parts) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int& part : parts) {
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) return false;
    at = next;
    if (at == end || *at == '+') return true;
    if (*at++ != '.') return false;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool holds(const Parts& version, std::string_view condition, std::string_view range) {
  const std::size_t digits = condition.find_first_of("0123456789");
  const std::string_view op = trimmed(condition.substr(0, digits));
  Parts bound{};
  const bool sound =
      digits != std::string_view::npos && parse_version(condition.substr(digits), bound);
  if (sound && op == ">=") return version >= bound;
  if (sound && op == ">") return version > bound;
  if (sound && op == "<=") return version <= bound;
  if (sound && op == "<") return version < bound;
  if (sound && op == "==") return version == bound;
  if (sound && op == "!=") return version != bound;
  throw UsageError("'" + std::string(range) +
                   "' is not a range of versions; write one as \">=2.15,<2.16\"");
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

bool version_in_range(std::string_view version, std::string_view range) {
  Parts parts{};
  const bool known = parse_version(version, parts);
  bool inside = true;
  for (std::string_view rest = trimmed(range); !rest.empty();) {
    const std::size_t comma = rest.find(',');
    inside = holds(parts, trimmed(rest.substr(0, comma)), range) && inside;
    rest = comma == std::string_view::npos ? "" : trimmed(rest.substr(comma + 1));
  }
  return trimmed(range).empty() || (known && inside);
}

}  // namespace upcast
