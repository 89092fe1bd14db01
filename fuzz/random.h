// The fuzzer's only source of chance: everything follows from a seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cases/values.h"

namespace upcast::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  std::uint64_t bits() { return bits_.next(); }
  /// 0 .. count - 1; count > 0.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }
  bool percent(int chance) { return static_cast<int>(below(100)) < chance; }
  template <class T>
  const T& from(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }
  template <class T>
  T from(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

 private:
  SplitMix64 bits_;
};

}  // namespace upcast::fuzz
