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

/// `Messages` gathers messages from a stream that arrives in pieces: append(bytes), next(), and the
/// static encode(message).
template <class Messages>
class MessageChild : public Child {
 public:
  using Child::Child;

  void send(std::string_view message) { feed(Messages::encode(message)); }

  /// A message that has arrived, or nothing.
  std::optional<std::string> next() {
    messages_.append(take_output());
    return messages_.next();
  }

  /// The next message. Nothing if `seconds` pass without one, or if the output ended: is_open()
  /// tells which. `alive` is called some ten times a second.
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

/// The other end of a MessageChild: reads messages from a blocking descriptor.
template <class Messages>
class MessageReader {
 public:
  explicit MessageReader(int descriptor) : descriptor_(descriptor) {}

  /// The next message; nothing at the end of the stream.
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

/// Messages that are lines; they have no newline.
class Lines {
 public:
  static std::string encode(std::string_view line) { return std::string(line) + '\n'; }
  void append(std::string_view bytes) { bytes_ += bytes; }
  /// Throws UsageError for a line that is too long.
  std::optional<std::string> next();

 private:
  std::string bytes_;
  std::size_t scanned_ = 0;  // bytes without a newline
};

using LineChild = MessageChild<Lines>;

}  // namespace upcast
