// Memory that a process may map as well, for tensors that are too large for a line of text.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <span>
#include <string>

#include "oracle/process/shared_memory.h"

namespace upcast::protocol {

/// An area of kBytes, of which only written parts take memory. Two requests may be under way. A
/// request with an even number uses the first half, one with an odd number the second. Each half
/// holds operands first, then answers.
class SharedArea {
 public:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;
  static constexpr std::size_t kPart = kBytes / 4;

  /// A path at which a process of the same user can open the area while this process lives.
  std::string path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory_.fd());
  }
  std::span<std::byte> bytes() const { return {memory_.data(), kBytes}; }

  /// Where the operands of a request begin in the area, and where its answers begin, in bytes.
  static std::size_t operands_at(std::int64_t seq) { return (seq % 2) * 2 * kPart; }
  static std::size_t answers_at(std::int64_t seq) { return operands_at(seq) + kPart; }

 private:
  SharedMemory memory_{kBytes};
};

}  // namespace upcast::protocol
