// Features of a case, which guide the engine in addition to branches. They are hashed pairs of
// facts about the case and its outcome.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/verdict.h"

namespace upcast::fuzz {

/// Bytes that libFuzzer reads and clears around each input. More of them cost speed: measured
/// here, 64 KiB cost a factor of ten.
inline constexpr std::size_t kFeatureBytes = 4096;

/// Marks op x outcome, op x dtype pair, dtype pair x kind pair, op x form, op x value class, op x
/// layout, refusal x dtypes, promotion kind x rule that decides, the rules of both combinations,
/// and near misses: op x decade of the largest error in ulp.
void mark_features(const Case& c, const Answer& subject, const Verdict& verdict);

/// Marks a pair that the caller made.
void mark_feature(std::uint32_t a, std::uint32_t b);

/// Clears the marks at the end of a case, if no engine does.
void clear_features();
/// The marked bytes.
const std::array<std::uint8_t, kFeatureBytes>& feature_bytes();

/// Calls `f` with each index that is marked.
template <class F>
void for_each_mark(F f) {
  const auto& bytes = feature_bytes();
  for (std::size_t at = 0; at < kFeatureBytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word == 0) continue;
    for (std::size_t i = at; i < at + 8; ++i)
      if (bytes[i] != 0) f(i);
  }
}

}  // namespace upcast::fuzz
