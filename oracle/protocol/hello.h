// What a process answers to hello (docs/process_protocol.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "oracle/plugin/manifest.h"

namespace upcast::protocol {

/// The version of the process protocol. Raised where a process of the version before would
/// misunderstand; new fields do not raise it.
inline constexpr int kProtocolVersion = 1;

/// Whether a process answers calls that feed each other, and what a call takes: the result of the
/// one before as that returns it, rounded to its dtype, or perhaps with more digits than the dtype
/// holds.
enum class Chains : std::uint8_t { kNone, kRounded, kFused };

struct Hello {
  Manifest manifest;
  std::map<std::string, std::string> versions;  // of what it is made of: {"python": "3.11.7"}
  bool maps_memory = false;                     // it reads and writes tensors in shared memory
  Chains chains = Chains::kNone;
  int batch = 1;  // cases that it wants to be asked together
};

/// The most cases of one request.
inline constexpr int kMaxBatch = 512;

/// Throws UsageError, one line that names `who`, for what is no hello, and for another version of
/// the protocol.
Hello read_hello(std::string_view line, std::string_view who);

}  // namespace upcast::protocol
