// Reads what a process answers to a request, a line of JSON (docs/process_protocol.md).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/answer.h"

namespace upcast::protocol {

/// Answers by the ids of their items, in the order in which they came. `area` is the memory that is
/// shared with the process, or empty. Throws UsageError, a clause without a subject ("answers no
/// request: ..."), for a line that is no answer to the request `seq`; an item that is ill-formed is
/// a broken answer.
std::vector<std::pair<std::int64_t, Answer>> read_answers(std::string_view line, std::int64_t seq,
                                                          std::span<const std::byte> area);

/// Whether a process takes a setting. Throws UsageError as read_answers does.
bool read_configured(std::string_view line);

}  // namespace upcast::protocol
