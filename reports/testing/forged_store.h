// Makes run stores with false digests, to test what other checks find.
#pragma once

#include <string>

namespace upcast::reports::testing {

/// Gives a file whose tables were edited the digests of its present contents, as a forger would.
void renew_digests(const std::string& path);

}  // namespace upcast::reports::testing
