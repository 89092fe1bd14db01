// A source of random choices (Choices), and how random numbers and members of a list are made from
// it. All generators draw from such a source.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>

#include "cases/values.h"
#include "impl/core/dtype_set.h"

namespace upcast {

/// A source of chance: a seed (Random), or RapidCheck (properties/draw.h).
class Choices {
 public:
  virtual ~Choices() = default;
  /// Draws 64 uniform random bits.
  virtual std::uint64_t bits() = 0;

  /// Draws a number from 0 to count - 1; count > 0.
  template <std::integral T>
  T below(T count) {
    return static_cast<T>(bits() % static_cast<std::uint64_t>(count));
  }
  /// Draws a number from first to last, both included.
  int between(int first, int last) { return first + below(last - first + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <std::ranges::random_access_range Range>
  const auto& from(const Range& choices) {
    return choices[below(std::size(choices))];
  }
  template <class T>
  T from(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  DType from(DTypeSet set) {
    int left = below(set.size());
    for (int code = 0;; ++code)
      if (set.contains(dtype_from_code(code)) && left-- == 0) return dtype_from_code(code);
  }
};

/// A source of choices that follow from a seed.
class Random final : public Choices {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t bits() override { return bits_.next(); }

 private:
  SplitMix64 bits_;
};

}  // namespace upcast
