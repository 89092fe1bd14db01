// A child that sends and receives messages: lines, or the frames of oracle/host/wire.h.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/process/child.h"

namespace upcast {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();  // seconds

/// A Child with messages instead of bytes. `Messages` makes messages of a stream that arrives in
/// pieces, by append(bytes) and next(). Its static encode(message) gives the bytes of one.
template <class Messages>
class MessageChild : public Child {
 public:
  using Child::Child;

  void send(std::string_view message) { feed(Messages::encode(message)); }

  /// A message that has arrived; nothing if no whole one has.
  std::optional<std::string> next() {
    messages_.append(take_output());
    return messages_.next();
  }

  /// Waits for the next message. Returns nothing if `seconds` pass without one, or if the output
  /// has ended; is_open() tells which. `alive` is called about ten times a second.
  std::optional<std::string> hear(double seconds = kNoLimit,
                                  const std::function<void()>& alive = {}) {
    using Clock = std::chrono::steady_clock;
    constexpr double kBeat = 0.1;
    const Clock::time_point began = Clock::now();
    for (;;) {
      if (auto message = next()) return message;
      const double left = seconds - std::chrono::duration<double>(Clock::now() - began).count();
      if (!is_open() || left <= 0) return std::nullopt;
      Child* const self = this;
      wait_for_any({&self, 1}, std::min(left, kBeat));
      if (alive) alive();
    }
  }

 private:
  Messages messages_;
};

/// Reads messages from a blocking descriptor, in the process that a MessageChild has started.
template <class Messages>
class MessageReader {
 public:
  explicit MessageReader(int descriptor) : descriptor_(descriptor) {}

  /// Waits for the next message; nothing at the end of the stream.
  std::optional<std::string> read() {
    std::string piece(std::size_t{1} << 16, '\0');
    for (;;) {
      if (auto message = messages_.next()) return message;
      const ssize_t n = ::read(descriptor_, piece.data(), piece.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return std::nullopt;
      messages_.append({piece.data(), static_cast<std::size_t>(n)});
    }
  }

 private:
  int descriptor_;
  Messages messages_;
};

/// Messages that are lines of text, without their newlines.
class Lines {
 public:
  static std::string encode(std::string_view line) { return std::string(line) + '\n'; }
  void append(std::string_view bytes) { bytes_ += bytes; }
  /// The next whole line, if there is one. Throws UsageError for a line that is too long.
  std::optional<std::string> next();

 private:
  std::string bytes_;
  std::size_t scanned_ = 0;  // how many bytes were searched for a newline in vain
};

using LineChild = MessageChild<Lines>;

}  // namespace upcast
