#include "tools/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cases/counted.h"

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

Progress::Progress(std::string what, std::int64_t done, std::int64_t total)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1), start_(done), total_(total) {
  winsize size{};
  if (terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width_ = size.ws_col;
  }
}

Progress::~Progress() {
  if (bar_is_up_) fmt::print(stderr, "\r\x1b[K");
}

std::string Progress::text(std::int64_t done) const {
  const double seconds = seconds_since(began_);
  const double rate = seconds > 0 ? static_cast<double>(done - start_) / seconds : 0;
  const double part = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 0;
  std::string line = total_ > 0
                         ? fmt::format("{:3.0f}%  {} of {} {}", std::floor(part * 100),
                                       grouped(done), grouped(total_), what_)
                         : fmt::format("{}  {} {}", clock_text(seconds), grouped(done), what_);
  if (rate > 0) line += fmt::format("  {} {}/s", grouped(static_cast<std::int64_t>(rate)), what_);
  if (rate > 0 && total_ > 0)
    line += fmt::format("  {} left", clock_text(static_cast<double>(total_ - done) / rate));
  return terminal_ && total_ > 0 ? bar(part) + " " + line : line;
}

void Progress::update(std::int64_t done, const std::string& more) {
  if (seconds_since(shown_) < (terminal_ ? kBarPeriod : kLinePeriod)) return;
  shown_ = Clock::now();
  std::string line = text(done) + (more.empty() ? "" : "  ") + more;
  if (!terminal_) {
    fmt::print(stderr, "upcast: {}\n", line);
    return;
  }
  line.resize(std::min<std::size_t>(line.size(), static_cast<std::size_t>(width_ - 1)));
  fmt::print(stderr, "\r{}\x1b[K", line);
  bar_is_up_ = true;
}

}  // namespace upcast::tools
