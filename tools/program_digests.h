// Says which builds of its programs a run was made with.
#pragma once

#include <string>
#include <vector>

namespace upcast::tools {

/// The XXH64 of each file, in 16 hexadecimal digits after the file's name, in order of the names:
/// "libtorch_cpu.so 0123456789abcdef, upcast-worker fedcba9876543210". The folders do not count. A
/// file that cannot be read has "unknown" instead. Takes about 0.1 s for each 500 MB that the
/// system has in memory.
std::string program_digests(const std::vector<std::string>& files);

}  // namespace upcast::tools
