// Reads answers back from the text of a run store's records.
#pragma once

#include <optional>
#include <string>

#include "oracle/answer.h"

namespace upcast::tools {

/// Reads a reply from its text, as Reply::text() writes it. Returns nothing if the text lacks a
/// part, as when its values were cut. The text has no strides: the tensor is taken to be
/// contiguous.
std::optional<Reply> recorded_reply(const std::string& text);

}  // namespace upcast::tools
