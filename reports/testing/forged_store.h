// Run stores whose digests tell nothing: what else holds is seen.
#pragma once

#include <string>

namespace upcast::reports::testing {

/// Gives a file whose tables were edited the digests of what they hold now, as a forger would.
void renew_digests(const std::string& path);

}  // namespace upcast::reports::testing
