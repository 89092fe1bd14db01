// Reads a process's answer to hello (docs/process_protocol.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "oracle/plugin/manifest.h"

namespace upcast::protocol {

/// The version of the process protocol. It is raised for changes that a process of the last version
/// would misunderstand. New fields do not raise it.
inline constexpr int kProtocolVersion = 1;

/// Whether a process answers chains of calls that feed each other, and which value a call then
/// takes from an earlier one. kRounded: the result, rounded to its dtype. kFused: the result,
/// perhaps with more digits than its dtype holds.
enum class Chains : std::uint8_t { kNone, kRounded, kFused };

struct Hello {
  Manifest manifest;
  // Versions of the side's parts: {"python": "3.11.7"}.
  std::map<std::string, std::string> versions;
  // Whether the process reads and writes tensors in shared memory.
  bool maps_memory = false;
  Chains chains = Chains::kNone;
  int batch = 1;  // how many cases the process wants to be asked together
};

/// The most cases of a request.
inline constexpr int kMaxBatch = 512;

/// Reads a process's hello. Throws UsageError with one line that names `who` if the line is no
/// hello, or has another version of the protocol.
Hello read_hello(std::string_view line, std::string_view who);

}  // namespace upcast::protocol
