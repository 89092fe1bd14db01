// How far a run is: a bar on a terminal, a plain line every few seconds elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace upcast::tools {

/// "12:05", "1:02:03".
std::string clock_text(double seconds);

/// Writes to standard error.
class Progress {
 public:
  /// `done` of `total` cases were done by earlier sessions; the rate does not count them.
  Progress(std::int64_t done, std::int64_t total);

  /// Shows the state if it is time to. `failing`: cases so far that are unexplained.
  void update(std::int64_t done, std::int64_t failing);
  /// Takes the bar away, so that other lines may follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string text(std::int64_t done, std::int64_t failing) const;

  bool terminal_;
  int width_ = 80;
  std::int64_t start_;
  std::int64_t total_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_ = began_;
  bool bar_is_up_ = false;
};

}  // namespace upcast::tools
