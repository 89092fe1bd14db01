// Makes run stores with forged digests, to test what the other checks find.
#pragma once

#include <string>

namespace upcast::reports::testing {

/// Gives a file whose tables were edited the digests that fit its present contents, as a forger
/// would.
void renew_digests(const std::string& path);

}  // namespace upcast::reports::testing
