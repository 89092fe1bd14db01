// Side-by-side timing: our side and the peer take turns in one run, so that both see the same
// machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::bench {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// The result of one benchmark. Times are in nanoseconds for one item.
struct Row {
  std::string name;
  double ours = kNotMeasured;
  double peer = kNotMeasured;
  // Quartiles of the ratio of two neighbouring turns. Such turns share a clock frequency and the
  // machine's other load, so the ratio varies less than the times.
  double low_ratio = kNotMeasured, high_ratio = kNotMeasured;
  double predicted = kNotMeasured;  // the time to copy as many bytes; on a GPU by its bandwidth
  double bytes = 0;                 // bytes that one item moves
  std::string_view path = "";       // which kernel ran on a GPU; else ""

  /// How many times as fast as the peer our side is. Above 1, ours is faster.
  double ratio() const { return peer / ours; }
};

struct Report {
  std::vector<Row> rows{};
  std::vector<std::string> notes{};  // what the report left out, and why
  std::map<std::string, std::string> versions{};
};

/// Tells the compiler that a value is used, and that memory may have changed.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

/// Nanoseconds that one call of `f` takes.
template <class F>
double nanoseconds_of(F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// The quantile of the values at `part` (0.5: the median). `values` must not be empty.
inline double quantile(std::vector<double> values, double part) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
  return values[at];
}

/// How many turns each side takes.
struct Turns {
  int most = 101;
  int least = 5;
  // No turn begins after this time, once `least` turns are done.
  double nanoseconds = std::numeric_limits<double>::infinity();
};

/// What the turns of both sides took, in nanoseconds for one item, and the ratios of neighbouring
/// turns.
struct TurnTimes {
  std::vector<double> ours{}, peer{}, copies{}, ratios{};

  /// The row of the medians. Precondition: each side had a turn.
  Row row(std::string name) const {
    return {.name = std::move(name),
            .ours = quantile(ours, 0.5),
            .peer = quantile(peer, 0.5),
            .low_ratio = quantile(ratios, 0.25),
            .high_ratio = quantile(ratios, 0.75),
            .predicted = copies.empty() ? kNotMeasured : quantile(copies, 0.5)};
  }
};

/// Adds the times of turns to `times`. The sides alternate; each has one turn before them to warm
/// up. A turn handles `items` items. If there is a `copy`, it runs before each turn, so that both
/// sides find the caches alike; its median time is the row's `predicted`.
template <class Ours, class Peer>
void take_turns(TurnTimes& times, std::int64_t items, Ours ours, Peer peer, Turns turns = {},
                const std::function<void()>& copy = nullptr) {
  double spent = 0;
  const auto run = [items, &spent](auto& side, std::vector<double>& taken) {
    const double time = nanoseconds_of(side);
    taken.push_back(time / static_cast<double>(items));
    spent += time;
  };
  ours();
  peer();
  for (int i = 0; i < turns.most && (i < turns.least || spent < turns.nanoseconds); ++i) {
    if (copy) run(copy, times.copies);
    run(ours, times.ours);
    if (copy) run(copy, times.copies);
    run(peer, times.peer);
    times.ratios.push_back(times.peer.back() / times.ours.back());
  }
}

/// The median time of each side's turns, for one item.
template <class Ours, class Peer>
Row side_by_side(std::string name, std::int64_t items, Ours ours, Peer peer) {
  TurnTimes times;
  take_turns(times, items, ours, peer);
  return times.row(std::move(name));
}

}  // namespace upcast::bench
