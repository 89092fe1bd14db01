// Side-by-side timing: ours and the peer take turns in one run, so that both see the same machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::bench {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// Nanoseconds for one item of each side.
struct Row {
  std::string name;
  double ours = kNotMeasured;
  double peer = kNotMeasured;
  double predicted = kNotMeasured;  // the least time: that of a copy of as many bytes
  double bytes = 0;                 // that move
  std::string_view path = "";       // on a GPU

  /// Above 1 where ours is faster.
  double ratio() const { return peer / ours; }
};

struct Report {
  std::vector<Row> rows{};
  std::vector<std::string> notes{};  // what was left out, and why
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

inline constexpr int kTurns = 101;

/// The fastest of `turns` turns of each side, after one that warms up. The fastest counts, since
/// other load on the machine can only slow a turn down. A turn handles `items` items.
template <class Ours, class Peer>
Row side_by_side(std::string name, std::int64_t items, Ours ours, Peer peer, int turns = kTurns) {
  ours();
  peer();
  Row row{.name = std::move(name), .ours = nanoseconds_of(ours), .peer = nanoseconds_of(peer)};
  for (int i = 0; i < turns; ++i) {
    row.ours = std::min(row.ours, nanoseconds_of(ours));
    row.peer = std::min(row.peer, nanoseconds_of(peer));
  }
  row.ours /= static_cast<double>(items);
  row.peer /= static_cast<double>(items);
  return row;
}

}  // namespace upcast::bench
