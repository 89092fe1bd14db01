// Random choices: what a generator draws from. Thin and fast: 100,000 examples of a property take
// seconds, where combinators of rc::gen would take minutes.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "impl/core/dtype_set.h"

namespace upcast::properties {

class Draw {
 public:
  /// `size`: RapidCheck's, 0 to 100; it grows with the examples.
  Draw(const rc::Random& random, int size) : random_(random), size_(size) {}

  int size() const { return size_; }
  std::uint64_t bits() { return random_.next(); }
  /// 0 to count - 1.
  int below(int count) { return static_cast<int>(bits() >> 33) % count; }
  /// first to last, both included.
  int between(int first, int last) { return first + below(last - first + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <class T>
  const T& from(std::span<const T> choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  template <class T>
  const T& from(const std::vector<T>& choices) {
    return from(std::span<const T>(choices));
  }
  template <class T, std::size_t N>
  const T& from(const std::array<T, N>& choices) {
    return from(std::span<const T>(choices));
  }
  DType from(DTypeSet set) {
    int left = below(set.size());
    for (int code = 0;; ++code)
      if (set.contains(dtype_from_code(code)) && left-- == 0) return dtype_from_code(code);
  }

 private:
  rc::Random random_;
  int size_;
};

}  // namespace upcast::properties
