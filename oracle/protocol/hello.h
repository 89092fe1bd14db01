// Reads what a process answers to hello (docs/process_protocol.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "oracle/plugin/manifest.h"

namespace upcast::protocol {

/// The version of the process protocol. It is raised if a process of the last version would
/// misunderstand; new fields do not raise it.
inline constexpr int kProtocolVersion = 1;

/// Whether a process answers calls that feed each other, and what a call then takes. kRounded: the
/// result of the last call, rounded to its dtype. kFused: that result, perhaps with more digits
/// than its dtype holds.
enum class Chains : std::uint8_t { kNone, kRounded, kFused };

struct Hello {
  Manifest manifest;
  std::map<std::string, std::string> versions;  // versions of its parts: {"python": "3.11.7"}
  bool maps_memory = false;                     // it reads and writes tensors in shared memory
  Chains chains = Chains::kNone;
  int batch = 1;  // how many cases it wants to be asked together
};

/// How many cases a request has at most.
inline constexpr int kMaxBatch = 512;

/// Throws UsageError, one line that names `who`, for what is no hello, and for another version of
/// the protocol.
Hello read_hello(std::string_view line, std::string_view who);

}  // namespace upcast::protocol
