// Side-by-side timing: our side and the peer take turns in one run, so that both see the same
// machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <span>
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
  int rounds = 1;                   // how often the row was measured
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

/// How many turns each side takes, and for how long.
struct TurnLimits {
  int most = 101;
  int least = 5;
  // No turn begins after this time, once `least` turns are done.
  double nanoseconds = std::numeric_limits<double>::infinity();
};

/// A turn of each side, one after the other. Times are in nanoseconds for one item.
struct Turn {
  double ours, peer;
  double copy = 0;  // what the copies before both sides took, if there are any
};

/// The row of the medians of turns; there must be one.
inline Row row_of_turns(std::string name, std::span<const Turn> turns) {
  const auto part = [turns](double at, auto value) {
    std::vector<double> values;
    std::ranges::transform(turns, std::back_inserter(values), value);
    return quantile(std::move(values), at);
  };
  const auto ratio = [](const Turn& turn) { return turn.peer / turn.ours; };
  const double copies = part(0.5, &Turn::copy);
  return {.name = std::move(name),
          .ours = part(0.5, &Turn::ours),
          .peer = part(0.5, &Turn::peer),
          .low_ratio = part(0.25, ratio),
          .high_ratio = part(0.75, ratio),
          .predicted = copies > 0 ? copies / 2 : kNotMeasured};
}

/// The turns whose copies took the least time: half of them, rounded up. What other programs do to
/// the memory slows copies too, so these turns are likely the least disturbed. What the sides took
/// does not matter. Reorders `turns`.
inline std::span<const Turn> quiet_half(std::span<Turn> turns) {
  const std::span<Turn> half = turns.first((turns.size() + 1) / 2);
  std::ranges::nth_element(turns, half.end(), {}, &Turn::copy);
  return half;
}

/// The row of several rounds of turns. Of each round the quiet half counts. The row has the medians
/// of the rounds' medians, so that one slow round of three, or two of five, do not decide it. The
/// quartiles are those of all turns that count. Reorders the turns of a round.
inline Row row_of_rounds(std::string name, std::span<std::vector<Turn>> rounds) {
  std::vector<Turn> counted, medians;
  for (std::vector<Turn>& round : rounds) {
    const std::span<const Turn> quiet = quiet_half(round);
    counted.insert(counted.end(), quiet.begin(), quiet.end());
    const Row row = row_of_turns("", quiet);
    medians.push_back({row.ours, row.peer, 2 * row.predicted});
  }
  Row row = row_of_turns(std::move(name), medians);
  const Row spread = row_of_turns("", counted);
  row.low_ratio = spread.low_ratio;
  row.high_ratio = spread.high_ratio;
  row.rounds = static_cast<int>(rounds.size());
  return row;
}

/// Turns of both sides. The sides alternate; each has one turn before them to warm up. A turn
/// handles `items` items. If there is a `copy`, it runs before each side, so that both find the
/// caches alike.
template <class Ours, class Peer>
std::vector<Turn> take_turns(std::int64_t items, Ours ours, Peer peer, TurnLimits limits = {},
                             const std::function<void()>& copy = nullptr) {
  std::vector<Turn> taken;
  double spent = 0;
  const auto run = [items, &spent](auto& side) {
    const double time = nanoseconds_of(side);
    spent += time;
    return time / static_cast<double>(items);
  };
  ours();
  peer();
  for (int i = 0; i < limits.most && (i < limits.least || spent < limits.nanoseconds); ++i) {
    Turn& turn = taken.emplace_back();
    if (copy) turn.copy += run(copy);
    turn.ours = run(ours);
    if (copy) turn.copy += run(copy);
    turn.peer = run(peer);
  }
  return taken;
}

/// The median time of each side's turns, for one item.
template <class Ours, class Peer>
Row side_by_side(std::string name, std::int64_t items, Ours ours, Peer peer) {
  return row_of_turns(std::move(name), take_turns(items, ours, peer));
}

}  // namespace upcast::bench
