// How far a command is: a bar on a terminal, a plain line every few seconds elsewhere.
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
  /// `done` of `total` were done by earlier sessions; the rate does not count them. `what`:
  /// "cases". Without a total it shows the time that has passed.
  Progress(std::string what, std::int64_t done, std::int64_t total = 0);
  /// Takes the bar away, so that other lines may follow.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the state if it is time to; `more` ends the line.
  void update(std::int64_t done, const std::string& more);

 private:
  using Clock = std::chrono::steady_clock;

  std::string text(std::int64_t done) const;

  std::string what_;
  bool terminal_;
  int width_ = 80;
  std::int64_t start_;
  std::int64_t total_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_ = began_;
  bool bar_is_up_ = false;
};

}  // namespace upcast::tools
