// Answers as a run store's records spell them, read back.
#pragma once

#include <optional>
#include <string>

#include "oracle/reply.h"

namespace upcast::tools {

/// The reply that Reply::text() prints so. Nothing where the text does not hold it all: long values
/// are cut, and strides are not in it (a tensor's are taken for contiguous ones).
std::optional<Reply> recorded_reply(const std::string& text);

/// The element that a difference in values was found at, of a record's detail: "element 2: 3
/// against 4, ...". Both values in the notation of cases.
struct RecordedElement {
  std::size_t index = 0;
  std::string subject{}, oracle{};
};
std::optional<RecordedElement> recorded_element(const std::string& detail);

}  // namespace upcast::tools
