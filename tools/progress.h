// Shows the progress of a command: as a bar on a terminal, elsewhere as a plain line every few
// seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace upcast::tools {

/// "12:05", "1:02:03".
std::string clock_text(double seconds);

/// What a line of progress shows.
struct ProgressState {
  std::string what;  // the unit of `done` and `total`: "case"
  std::int64_t done = 0;
  std::int64_t total = 0;         // 0: unknown; the line then shows the time that has passed
  double seconds = 0;             // since this session started
  double rate = 0;                // units a second
  std::vector<std::string> more;  // "12 unexplained"
  bool has_bar = false;
};

/// A line of progress, of at most `width` columns. Parts that do not fit are left out: first the
/// bar, then the rate, then the total, then the last of `more`.
std::string progress_line(const ProgressState& state, int width);

/// Shows the progress of a command on standard error: as a bar on a terminal, as lines elsewhere.
class Progress {
 public:
  /// `what`: the unit, such as "case". `done`: units that earlier sessions did; the rate does not
  /// count them. `total`: 0 if it is unknown; then the time that has passed is shown.
  Progress(std::string what, std::int64_t done, std::int64_t total = 0);
  /// Removes the bar from the terminal, so that other lines may follow.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows the progress if enough time has passed since the last time. `more` are texts for the end
  /// of the line.
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
