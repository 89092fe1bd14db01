// What a run was made with, besides its sides: compiler, processor, system.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace upcast {

/// {"compiler": "GCC 12.2.0", "cpu": "AMD EPYC 7B13", "os": "Linux 6.1 (Debian ...)"}.
std::map<std::string, std::string> machine_versions();

/// The version of upcast itself, "0.1.0".
std::string_view upcast_version();

/// Whether "2.15.0" lies in ">=2.15,<2.16". Conditions: >=, >, <=, <, ==, !=; an empty range holds
/// always. Missing parts of a version count as 0, a suffix such as "+cu132" does not count. Throws
/// UsageError for a range that is none.
bool version_in_range(std::string_view version, std::string_view range);

}  // namespace upcast
