// Memory that a process may map as well, for tensors that are too large for a line of text.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <span>
#include <string>

#include "oracle/process/shared_memory.h"

namespace upcast::protocol {

/// An area of kBytes; only written parts take memory. Two requests may be under way: one uses the
/// even half, the other the odd one. In each half operands come first, then answers.
class SharedArea {
 public:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;
  static constexpr std::size_t kPart = kBytes / 4;

  /// A path under which a process of this user may open it, as long as this one lives.
  std::string path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory_.fd());
  }
  std::span<std::byte> bytes() const { return {memory_.data(), kBytes}; }

  /// Where the operands, and the answers, of a request begin.
  static std::size_t operands_at(std::int64_t seq) { return (seq % 2) * 2 * kPart; }
  static std::size_t answers_at(std::int64_t seq) { return operands_at(seq) + kPart; }

 private:
  SharedMemory memory_{kBytes};
};

}  // namespace upcast::protocol
