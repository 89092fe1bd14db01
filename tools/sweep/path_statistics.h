// Statistics of how the results of two paths differ, bit by bit. Paths are ways to compute the same
// results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "impl/core/dtype.h"
#include "oracle/truth/worst_rows.h"

namespace upcast::tools {

/// An input for which a path and the reference give different results.
struct PathDifference {
  double error = 0;         // steps between both results; of complex ones, in the worse part
  std::uint64_t index = 0;  // the input's place in the sweep
  std::uint64_t reference = 0, other = 0;  // bits of both results, at most 8 bytes
  bool operator==(const PathDifference&) const = default;
};

/// How the results of a path differ from those of the reference. An input whose results have other
/// bits counts once: in `stepped`, in `misplaced` or in `nan_bits`.
struct PathStatistics {
  std::int64_t inputs = 0;
  std::int64_t stepped = 0;    // inputs with two different finite numbers or integers
  std::int64_t misplaced = 0;  // inputs with an infinity or NaN on one side, or two zeros
  std::int64_t nan_bits = 0;   // inputs with two NaN of another sign or payload
  /// The inputs counted in `stepped` with the most steps between their results.
  truth::WorstRows<PathDifference> worst;
  /// The first inputs counted in `misplaced`, and the first counted in `stepped` or `misplaced`.
  truth::WorstRows<PathDifference> first_misplaced, first;
  /// histogram[i] counts inputs with more than kEdges[i-1] and at most kEdges[i] steps; its last
  /// element counts the rest.
  static constexpr std::array<double, 8> kEdges{1, 2, 3, 4, 16, 256, 65536, 16777216};
  std::array<std::int64_t, kEdges.size() + 1> histogram{};

  std::int64_t different() const { return stepped + misplaced; }
  double max_steps() const { return worst.rows().empty() ? 0 : worst.rows().front().error; }
  void merge(const PathStatistics& other);
  bool operator==(const PathStatistics&) const = default;
};

/// Compares the results of a path, `other`, with those of the reference, and adds them to
/// `statistics`. Both are bytes of elements of `dtype`, which must be an elementwise dtype. `first`
/// is the index of the first element. Equal results cost little: memory is compared first.
void compare_paths(DType dtype, std::span<const std::byte> reference,
                   std::span<const std::byte> other, std::uint64_t first,
                   PathStatistics& statistics);

/// Writes a row as an array, as a sweep's file keeps it.
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
