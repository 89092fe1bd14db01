// The progress of a command: a bar on a terminal, a plain line every few seconds elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace upcast::tools {

/// "12:05", "1:02:03".
std::string clock_text(double seconds);

/// The contents of a line of progress.
struct ProgressState {
  std::string what;  // "case"
  std::int64_t done = 0;
  std::int64_t total = 0;         // 0: unknown; the line then shows the time that has passed
  double seconds = 0;             // since the start of this session
  double rate = 0;                // a second
  std::vector<std::string> more;  // "12 unexplained"
  bool has_bar = false;
};

/// The line, of at most `width` columns. Parts that do not fit are left out: first the bar, then
/// the rate, then the total, then the last of `more`.
std::string progress_line(const ProgressState& state, int width);

/// Writes to standard error.
class Progress {
 public:
  /// `done` of `total` were done by earlier sessions; the rate does not count them. `what`: "case".
  /// Without a total it shows the time that has passed.
  Progress(std::string what, std::int64_t done, std::int64_t total = 0);
  /// Removes the bar, so that other lines may follow.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the state if enough time has passed. `more` ends the line.
  void update(std::int64_t done, std::vector<std::string> more = {});

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool terminal_;
  std::int64_t start_;
  std::int64_t total_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_ = began_;
  bool bar_is_up_ = false;
};

}  // namespace upcast::tools
