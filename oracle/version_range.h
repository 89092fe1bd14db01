// Ranges of versions, as known differences state them.
#pragma once

#include <string_view>

namespace upcast {

/// Whether "2.15.0" lies in ">=2.15,<2.16". Conditions: >=, >, <=, <, ==, !=; an empty range holds
/// always. Missing parts of a version count as 0, a suffix such as "+cu132" does not count. Throws
/// UsageError for a range that is none.
bool version_in_range(std::string_view version, std::string_view range);

}  // namespace upcast
