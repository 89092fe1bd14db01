// The versions of what a run was made with, besides its sides: compiler, processor, system.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace upcast {

/// The versions of this machine: {"compiler": "GCC 12.2.0", "cpu": "AMD EPYC 7B13", "os": "Linux
/// 6.1 (Debian ...)"}.
std::map<std::string, std::string> machine_versions();

/// The version of upcast itself, "0.1.0".
std::string_view upcast_version();

}  // namespace upcast
