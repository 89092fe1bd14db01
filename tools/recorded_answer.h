// Answers as a run store's records spell them, read back.
#pragma once

#include <optional>
#include <string>

#include "oracle/answer.h"

namespace upcast::tools {

/// The reply that Reply::text() prints so. Nothing where the text does not hold it all: long values
/// are cut, and strides are not in it (a tensor's are taken for contiguous ones).
std::optional<Reply> recorded_reply(const std::string& text);

}  // namespace upcast::tools
