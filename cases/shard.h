// A shard: one run's part of work that several runs share (--shard I/N).
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "impl/core/error.h"

namespace upcast {

/// A shard executes those blocks (of a run) or chunks (of a sweep) whose number, divided by
/// `count`, leaves the remainder `index`.
struct Shard {
  int index = 0;
  int count = 1;

  bool owns(std::int64_t number) const { return number % count == index; }
  bool operator==(const Shard&) const = default;
};

/// A shard as people write it: "2/4" is the second of four. In that text shards count from 1.
inline std::string shard_text(const Shard& shard) {
  return std::to_string(shard.index + 1) + "/" + std::to_string(shard.count);
}

/// Reads the text that shard_text() writes. Nothing for another text.
inline std::optional<Shard> read_shard(std::string_view text) {
  int number = 0, count = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, number);
  if (first.ptr == end || *first.ptr != '/') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, count);
  if (second.ec != std::errc{} || second.ptr != end || number < 1 || number > count)
    return std::nullopt;
  return Shard{number - 1, count};
}

/// Reads the value of the option --shard. Throws UsageError.
inline Shard parse_shard(std::string_view text) {
  if (const auto shard = read_shard(text)) return *shard;
  throw UsageError("--shard '" + std::string(text) +
                   "' is not a shard; write I/N with I from 1 to N, such as 1/4");
}

}  // namespace upcast
