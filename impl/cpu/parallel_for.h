// Runs a loop over a large range in several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace upcast {

/// Divides [0, n) into consecutive parts and calls f(part, begin, end) for each, on up to `threads`
/// threads. Each part has at least `grain` indices, if n allows it. f must not throw.
template <class F>
void parallel_for(int threads, std::int64_t n, std::int64_t grain, F&& f) {
  const std::int64_t parts = std::clamp<std::int64_t>(n / grain, 1, threads);
  std::vector<std::jthread> others;
  others.reserve(parts - 1);
  for (std::int64_t part = 1; part < parts; ++part)
    others.emplace_back(
        [&f, part, parts, n] { f(part, n * part / parts, n * (part + 1) / parts); });
  f(std::int64_t{0}, std::int64_t{0}, n / parts);
}

}  // namespace upcast
