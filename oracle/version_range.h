// Ranges of versions, as known differences state them.
#pragma once

#include <string_view>

namespace upcast {

/// Whether a version such as "2.15.0" is in a range such as ">=2.15,<2.16". Conditions are >=, >,
/// <=, <, ==, !=. An empty range holds every version. Missing parts of a version count as 0. A
/// suffix such as "+cu132" does not count. Throws UsageError for a text that is no range.
bool version_in_range(std::string_view version, std::string_view range);

}  // namespace upcast
