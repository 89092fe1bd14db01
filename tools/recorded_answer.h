// Reads answers back from the text of a run store's records.
#pragma once

#include <optional>
#include <string>

#include "oracle/answer.h"

namespace upcast::tools {

/// The reply whose Reply::text() this is. Nothing if the text does not have it all: long values are
/// cut. Strides are not in it; a tensor's are taken to be contiguous.
std::optional<Reply> recorded_reply(const std::string& text);

}  // namespace upcast::tools
