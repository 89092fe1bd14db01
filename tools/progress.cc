#include "tools/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cases/counted.h"
#include "cases/standard_streams.h"

namespace upcast::tools {
namespace {

constexpr double kBarPeriod = 0.1;  // seconds
constexpr double kLinePeriod = 5;
constexpr int kColumns = 80;  // columns of a line if the terminal's width is unknown
constexpr int kBar = 26;      // columns of the bar, with its ends
constexpr std::string_view kHead = "upcast: ";

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

std::string bar(double part) {
  constexpr int kInner = kBar - 2;
  const int full = static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * kInner));
  return "[" + std::string(full, '=') + std::string(kInner - full, ' ') + "]";
}

/// The columns of the terminal on standard error; kColumns if there is no terminal, or if its width
/// is unknown.
int columns_of(bool terminal) {
  winsize size{};
  const bool told = terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return told ? size.ws_col : kColumns;
}

/// A part of a line of progress. If the line is too long, parts with the lowest rank are left out
/// first.
struct Piece {
  std::string text;
  int rank;
};

std::string joined(const std::vector<Piece>& pieces) {
  std::string line;
  for (const Piece& piece : pieces) line += (line.empty() ? "" : "  ") + piece.text;
  return line;
}

}  // namespace

std::string clock_text(double seconds) {
  const auto all = static_cast<std::int64_t>(std::ceil(seconds));
  const std::int64_t hours = all / 3600;
  const std::int64_t minutes = all / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, all % 60);
  return fmt::format("{}:{:02}", minutes, all % 60);
}

std::string progress_line(const ProgressState& state, int width) {
  enum : int { kBarRank, kRateRank, kTotalRank, kMoreRank, kTimeRank = 1000, kDoneRank };
  const double part = static_cast<double>(state.done) / static_cast<double>(state.total);
  std::vector<Piece> pieces;
  if (state.total > 0) {
    if (state.has_bar) pieces.push_back({bar(part), kBarRank});
    pieces.push_back({fmt::format("{:.0f}%", std::floor(part * 100)), kDoneRank});
    pieces.push_back(
        {fmt::format("{} of {}", grouped(state.done), counted(state.total, state.what)),
         kTotalRank});
  } else {
    pieces.push_back({clock_text(state.seconds), kTimeRank});
    pieces.push_back({counted(state.done, state.what), kDoneRank});
  }
  if (state.rate >= 1)
    pieces.push_back({grouped(static_cast<std::int64_t>(state.rate)) + "/s", kRateRank});
  if (state.rate > 0 && state.total > 0)
    pieces.push_back(
        {clock_text(static_cast<double>(state.total - state.done) / state.rate) + " left",
         kTimeRank});
  for (std::size_t i = 0; i < state.more.size(); ++i)
    pieces.push_back({state.more[i], kMoreRank + static_cast<int>(state.more.size() - i)});
  const auto limit = static_cast<std::size_t>(std::max(width, 0));
  while (pieces.size() > 1 && joined(pieces).size() > limit)
    pieces.erase(std::min_element(pieces.begin(), pieces.end(),
                                  [](const Piece& a, const Piece& b) { return a.rank < b.rank; }));
  return joined(pieces).substr(0, limit);
}

Progress::Progress(std::string what, std::int64_t done, std::int64_t total)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) == 1), start_(done), total_(total) {}

Progress::~Progress() {
  if (bar_is_up_) std::fputs("\r\x1b[K", stderr);
}

void Progress::update(std::int64_t done, std::vector<std::string> more) {
  if (seconds_since(shown_) < (terminal_ ? kBarPeriod : kLinePeriod)) return;
  shown_ = Clock::now();
  const double seconds = seconds_since(began_);
  const ProgressState state{.what = what_,
                            .done = done,
                            .total = total_,
                            .seconds = seconds,
                            .rate = static_cast<double>(done - start_) / seconds,
                            .more = std::move(more),
                            .has_bar = terminal_};
  const int width = columns_of(terminal_);
  if (!terminal_) {
    tell(
        fmt::format("{}{}\n", kHead, progress_line(state, width - static_cast<int>(kHead.size()))));
    return;
  }
  // The cursor stays in the line, so that the next text replaces it.
  tell(fmt::format("\r{}\x1b[K", progress_line(state, width - 1)));
  bar_is_up_ = true;
}

}  // namespace upcast::tools
