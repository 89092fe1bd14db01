// Reads a process's answer to a request, a line of JSON (docs/process_protocol.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/answer.h"

namespace upcast::protocol {

/// Returns pairs of an item's id and its answer, in the order in which the line has them. `area`:
/// the memory that is shared with the process, or empty. An ill-formed item is a broken answer.
/// Throws UsageError for a line that does not answer the request `seq`. The message is a clause to
/// which the caller adds the subject ("answers no request: ...").
std::vector<std::pair<std::int64_t, Answer>> read_answers(std::string_view line, std::int64_t seq,
                                                          std::span<const std::byte> area);

/// Reads the answer to a setting: whether the process accepts it. Throws UsageError as
/// read_answers() does.
bool read_configured(std::string_view line);

}  // namespace upcast::protocol
