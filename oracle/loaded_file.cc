#include "oracle/loaded_file.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>

namespace upcast {

std::string loaded_file(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream map("/proc/self/maps");
  for (std::string line; std::getline(map, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) continue;
    if (wanted < begin || wanted >= end) continue;
    const std::size_t path = line.find('/');
    return path == std::string::npos ? "" : line.substr(path);
  }
  return "";
}

}  // namespace upcast
