// What the engine is told about a case besides the branches that it took: hashed pairs of what the
// case is, and of what became of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/verdict.h"

namespace upcast::fuzz {

/// Bytes that libFuzzer reads and clears around each input. More of them cost speed: 64 KiB a
/// factor of ten (shared/fuzzing.md).
inline constexpr std::size_t kFeatureBytes = 4096;

/// Marks op x outcome, op x dtype pair, dtype pair x kind pair, op x form, op x value class, op x
/// layout, refusal x dtypes, and near misses: op x decade of the largest error in ulp.
void mark_features(const Case& c, const Answer& subject, const Verdict& verdict);

/// Marks a pair of a caller's own.
void mark_feature(std::uint32_t a, std::uint32_t b);

/// How many bytes are marked; and the end of a case where no engine clears them.
int marked_features();
void clear_features();
/// Whether an index is marked.
bool is_marked(std::size_t index);

}  // namespace upcast::fuzz
