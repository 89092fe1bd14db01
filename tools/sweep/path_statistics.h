// Statistics of how two paths to the same results differ, bit by bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "impl/core/dtype.h"
#include "oracle/truth/worst_rows.h"

namespace upcast::tools {

/// An input whose results differ.
struct PathDifference {
  double error = 0;         // steps between the results; for complex ones of the worse part
  std::uint64_t index = 0;  // of the input
  std::uint64_t reference = 0, other = 0;  // the results' bits; the first 8 bytes
  bool operator==(const PathDifference&) const = default;
};

/// Results of a path, compared with those of the reference. Each input with other bits is in one
/// count: `stepped`, `misplaced` or `nan_bits`.
struct PathStatistics {
  std::int64_t inputs = 0;
  std::int64_t stepped = 0;    // other values: two finite ones, or integers
  std::int64_t misplaced = 0;  // an infinity or NaN on one side only, or zeros of other signs
  std::int64_t nan_bits = 0;   // NaN on both sides, with another sign or payload
  /// The worst of those that are stepped, by the steps between the two.
  truth::WorstRows<PathDifference> worst;
  /// The first ones that are misplaced, and the first ones that differ at all (NaN left out).
  truth::WorstRows<PathDifference> first_misplaced, first;
  /// Steps of at most kEdges[i]; the last bucket holds the rest.
  static constexpr std::array<double, 8> kEdges{1, 2, 3, 4, 16, 256, 65536, 16777216};
  std::array<std::int64_t, kEdges.size() + 1> histogram{};

  std::int64_t different() const { return stepped + misplaced; }
  double max_steps() const { return worst.rows().empty() ? 0 : worst.rows().front().error; }
  void merge(const PathStatistics& other);
  bool operator==(const PathStatistics&) const = default;
};

/// Adds elements of `dtype` (elementwise), as bytes. `first` is the index of the first element.
/// Equal memory costs no more than the comparison.
void compare_paths(DType dtype, std::span<const std::byte> reference,
                   std::span<const std::byte> other, std::uint64_t first,
                   PathStatistics& statistics);

/// Writes a row as files of chunks have it: an array.
inline void to_json(nlohmann::json& json, const PathDifference& row) {
  json = {row.error, row.index, row.reference, row.other};
}
inline void from_json(const nlohmann::json& json, PathDifference& row) {
  row = {json.at(0), json.at(1), json.at(2), json.at(3)};
}
inline void to_json(nlohmann::json& json, const truth::WorstRows<PathDifference>& worst) {
  json = worst.rows();
}
inline void from_json(const nlohmann::json& json, truth::WorstRows<PathDifference>& worst) {
  for (const nlohmann::json& row : json) worst.add(row);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PathStatistics, inputs, stepped, misplaced, nan_bits, worst,
                                   first_misplaced, first, histogram)

}  // namespace upcast::tools
