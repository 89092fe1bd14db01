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

/// The size of the array of features, which libFuzzer reads and clears around each input. A larger
/// array costs speed: 64 KiB were ten times slower here.
inline constexpr std::size_t kFeatureBytes = 4096;

/// Marks the features of a judged case: op x outcome, op x dtype pair, dtype pair x kind pair, op x
/// form, op x value class, op x layout, refusal x dtypes, promotion kind x rule that decides, and
/// the rules of both combinations. It also marks near misses: op x decade of the largest error in
/// ulp.
void mark_features(const Case& c, const Answer& subject, const Verdict& verdict);

/// Marks a feature that the caller has made: a pair of facts.
void mark_feature(std::uint32_t a, std::uint32_t b);

/// Clears the marks at the end of a case, for callers without an engine that does it.
void clear_features();
/// The array of features: a byte that is not 0 is marked.
const std::array<std::uint8_t, kFeatureBytes>& feature_bytes();

/// Calls `f` with the index of each marked feature.
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
