// Remembers values whose computation takes long.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "impl/core/complex.h"
#include "impl/core/dtype.h"

namespace upcast::truth {

/// What a value is computed from: a definition, a dtype, and the operands and attributes, bit by
/// bit.
struct MemoKey {
  static constexpr std::size_t kMostParts = 8;

  const void* definition = nullptr;
  DType dtype = DType::kUndefined;
  std::size_t count = 0;  // of parts; the others are 0
  std::array<std::uint64_t, kMostParts> parts{};

  bool operator==(const MemoKey&) const = default;
};

struct MemoHash {
  std::size_t operator()(const MemoKey& key) const {
    std::size_t hash = std::hash<const void*>{}(key.definition) + code(key.dtype);
    // The multiplier is 2^64 divided by the golden ratio. It moves low bits up; the rotation moves
    // high bits down, because a small float64 has zeros below.
    for (const std::uint64_t part : key.parts)
      hash = std::rotl((hash ^ part) * 0x9e3779b97f4a7c15U, 32);
    return hash;
  }
};

/// The key of an element; nothing for more arguments than a key has parts.
template <class T>
std::optional<MemoKey> memo_key(const void* definition, DType dtype, std::span<const T> x) {
  constexpr std::size_t kEach = sizeof(T) / sizeof(double);
  if (x.size() * kEach > MemoKey::kMostParts) return std::nullopt;
  MemoKey key{definition, dtype, x.size() * kEach, {}};
  auto part = key.parts.begin();
  for (const T& value : x)
    for (const std::uint64_t bits : std::bit_cast<std::array<std::uint64_t, kEach>>(value))
      *part++ = bits;
  return key;
}

/// Values by what they are computed from. A grid asks its boundary values in every form, kind and
/// layout of operands. Holds at most kMost values, then forgets all and starts anew.
template <class V>
class Memo {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  /// The value of `key`. If it is not remembered, it is what `compute` returns.
  template <std::invocable Compute>
  V get(const std::optional<MemoKey>& key, Compute&& compute) {
    if (!key) return compute();
    if (const auto found = values_.find(*key); found != values_.end()) return found->second;
    const V value = compute();
    if (values_.size() >= kMost) values_.clear();
    values_.emplace(*key, value);
    return value;
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::unordered_map<MemoKey, V, MemoHash> values_;
};

}  // namespace upcast::truth
