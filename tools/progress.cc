#include "tools/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "reports/summary.h"

namespace upcast::tools {
namespace {

constexpr double kBarPeriod = 0.1;  // seconds
constexpr double kLinePeriod = 5;
constexpr int kBarWidth = 24;

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

std::string bar(double part) {
  const int full = static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * kBarWidth));
  return "[" + std::string(full, '=') + std::string(kBarWidth - full, ' ') + "]";
}

}  // namespace

std::string clock_text(double seconds) {
  const auto all = static_cast<std::int64_t>(std::ceil(seconds));
  const std::int64_t hours = all / 3600;
  const std::int64_t minutes = all / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, all % 60);
  return fmt::format("{}:{:02}", minutes, all % 60);
}

Progress::Progress(std::int64_t done, std::int64_t total)
    : terminal_(isatty(STDERR_FILENO) == 1), start_(done), total_(total) {
  winsize size{};
  if (terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width_ = size.ws_col;
  }
}

std::string Progress::text(std::int64_t done, std::int64_t failing) const {
  const double seconds = seconds_since(began_);
  const double rate = seconds > 0 ? static_cast<double>(done - start_) / seconds : 0;
  const double part = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 1;
  std::string line = fmt::format("{:3.0f}%  {} of {} cases", std::floor(part * 100),
                                 reports::grouped(done), reports::grouped(total_));
  if (rate > 0) {
    const double left = static_cast<double>(total_ - done) / rate;
    line += fmt::format("  {} cases/s  {} left", reports::grouped(static_cast<std::int64_t>(rate)),
                        clock_text(left));
  }
  if (failing > 0) line += fmt::format("  {} unexplained", reports::grouped(failing));
  return terminal_ ? bar(part) + " " + line : line;
}

void Progress::update(std::int64_t done, std::int64_t failing) {
  if (seconds_since(shown_) < (terminal_ ? kBarPeriod : kLinePeriod)) return;
  shown_ = Clock::now();
  std::string line = text(done, failing);
  if (!terminal_) {
    fmt::print(stderr, "upcast: {}\n", line);
    return;
  }
  line.resize(std::min<std::size_t>(line.size(), static_cast<std::size_t>(width_ - 1)));
  fmt::print(stderr, "\r{}\x1b[K", line);
  bar_is_up_ = true;
}

void Progress::clear() {
  if (bar_is_up_) fmt::print(stderr, "\r\x1b[K");
  bar_is_up_ = false;
}

}  // namespace upcast::tools
