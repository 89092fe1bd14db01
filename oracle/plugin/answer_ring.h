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

/// A ring of bytes that one process writes and another one reads. A message may be longer than the
/// ring.
class AnswerRing {
 public:
  /// Makes a new ring in an anonymous file, which a child inherits. Throws UsageError if the file
  /// cannot be made.
  AnswerRing();
  /// Opens the ring that another process made, by the descriptor that was inherited from it.
  explicit AnswerRing(int fd);

  int fd() const { return memory_.fd(); }

  /// Writes a message, and waits while the ring has no room. Calls `wake` if the reader sleeps, and
  /// it has much to read or must make room.
  void write(std::string_view message, const std::function<void()>& wake);
  /// Says that nothing more is written for now. Calls `wake` if the reader sleeps.
  void flush(const std::function<void()>& wake);

  /// Reads the next message, which is valid until the next call. Returns false if no whole message
  /// has arrived. Throws DamagedRing.
  bool read(std::string_view& message);
  /// The reader must call this before it sleeps. Returns false if there is something to read, so
  /// that it must not sleep.
  bool may_sleep();

 private:
  struct Shared;

  /// Copies bytes to position `at`, and advances `at`. If the ring is full, the bytes copied so far
  /// become readable.
  void put(const void* from, std::size_t size, std::uint64_t& at,
           const std::function<void()>& wake);
  bool take();

  SharedMemory memory_;
  Shared* shared_;
  std::uint64_t count_ = 0;    // how many messages this end has written, or read
  std::uint64_t flushed_ = 0;  // used by the writer: the position at which it last woke the reader
  // Used by the reader: bytes from the ring; those from next_ on are not given out yet.
  std::string taken_;
  std::size_t next_ = 0;
};

}  // namespace upcast
