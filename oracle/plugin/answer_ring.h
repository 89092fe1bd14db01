// Passes answers from one process to another through shared memory. They outlive a writer that
// dies, and most need no system call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "oracle/process/shared_memory.h"

namespace upcast {

/// Thrown if the ring's bytes are damaged: the other process wrote over them.
struct DamagedRing {};

/// A ring of bytes, written by one process and read by another. Messages may be longer than it.
class AnswerRing {
 public:
  /// A new ring, in an anonymous file that a child inherits. Throws UsageError if none can be made.
  AnswerRing();
  /// Opens the ring of another process, by the descriptor that was inherited from it.
  explicit AnswerRing(int fd);

  int fd() const { return memory_.fd(); }

  /// Marks the next message as begun: if this process dies now, that message is the cause.
  void begin();
  /// Writes a message, and waits while there is no room. `wake` is called where the reader sleeps
  /// and has much to read, or must make room.
  void write(std::string_view message, const std::function<void()>& wake);
  /// Says that no more is written for now. Calls `wake` if the reader sleeps.
  void flush(const std::function<void()>& wake);

  /// The next message, valid until the next call. Returns false if no whole message is there.
  /// Throws DamagedRing.
  bool read(std::string_view& message);
  /// Whether the message that read() would give next has begun.
  bool has_begun() const;
  /// Asked before the reader sleeps. Returns false if there is something to read.
  bool may_sleep();

 private:
  struct Shared;

  /// Copies bytes to `at`, and advances it. If there is no room, it publishes what it copied.
  void put(const void* from, std::size_t size, std::uint64_t& at,
           const std::function<void()>& wake);
  bool take();

  SharedMemory memory_;
  Shared* shared_;
  std::uint64_t count_ = 0;    // number of messages that this end wrote, or read
  std::uint64_t flushed_ = 0;  // for the writer: the position at which the reader was last woken
  std::string taken_;          // for the reader: bytes from `next_` on that were not given out
  std::size_t next_ = 0;
};

}  // namespace upcast
