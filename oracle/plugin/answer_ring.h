// Answers from one process to another through shared memory: what was written outlives the writer,
// and costs no call of the system.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "oracle/process/shared_memory.h"

namespace upcast {

/// What the ring holds was not written by an AnswerRing: its other process wrote over it.
struct DamagedRing {};

/// A ring of bytes, written by one process and read by another. Messages may be longer than it.
class AnswerRing {
 public:
  /// New, in an anonymous file that a child inherits. Throws UsageError.
  AnswerRing();
  /// That of another process.
  explicit AnswerRing(int fd);

  int fd() const { return memory_.fd(); }

  /// The next message is under way: whoever ends this process now ends it over that one.
  void begin();
  /// Writes a message, and waits while there is no room. `wake` is called where the reader sleeps
  /// and has much to read, or must make room.
  void write(std::string_view message, const std::function<void()>& wake);
  /// What was written so far is all for now: calls `wake` where the reader sleeps.
  void flush(const std::function<void()>& wake);

  /// The next message, valid until the next call; false where there is no whole one. Throws
  /// DamagedRing.
  bool read(std::string_view& message);
  /// Whether the message that read() would give next has begun.
  bool has_begun() const;
  /// Before the reader sleeps until it is woken; false where there is something to read.
  bool may_sleep();

 private:
  struct Shared;

  /// Copies bytes behind `at`, which moves on; what was copied is published where there is no room.
  void put(const void* from, std::size_t size, std::uint64_t& at,
           const std::function<void()>& wake);
  bool take();

  SharedMemory memory_;
  Shared* shared_;
  std::uint64_t count_ = 0;    // of messages that this end wrote, or read
  std::uint64_t flushed_ = 0;  // the writer's: up to where the reader was woken
  std::string taken_;          // the reader's: bytes, from `next_` on not yet given out
  std::size_t next_ = 0;
};

}  // namespace upcast
