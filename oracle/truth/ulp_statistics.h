// Statistics of how far answers lie from the truth.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "oracle/truth/evaluate.h"
#include "oracle/truth/worst_rows.h"

namespace upcast::truth {

struct InputError {
  double error = 0;         // in ulp
  std::uint64_t index = 0;  // of the input
  bool operator==(const InputError&) const = default;
};

/// Errors of one side over some elements of a floating dtype, in ulp of that dtype at the exact
/// value (docs/numerics.md); of a complex one, of its larger part at that part; of an integral
/// dtype or bool, in ones. What must be an infinity, a NaN or a zero of a sign and is not, or the
/// other way round, has no error in ulp: it is counted as misplaced.
struct UlpStatistics {
  std::int64_t inputs = 0;
  std::int64_t undecided = 0;          // elements without a truth: in no other count
  std::int64_t correctly_rounded = 0;  // the nearest value, or the right special one
  std::int64_t misplaced = 0;
  std::int64_t measured = 0;          // those with a finite error in ulp: not NaN, not infinite
  std::uint64_t first_misplaced = 0;  // index of the input, over all chunks
  WorstRows<InputError> worst;        // those with an error
  /// Most steps from the nearest value, of those with an error in ulp: of a complex one's worse
  /// part; of an integral dtype in ones. Nothing where a sweep of an older version has a part.
  std::optional<std::uint64_t> max_steps = 0;
  double sum_ulp = 0;
  /// Larger errors count as this one, so that sums are finite.
  static constexpr double kLargestError = 1e100;
  /// Errors of at most kEdges[i] ulp; the last bucket holds the rest.
  static constexpr std::array<double, 10> kEdges{0.5, 0.501, 0.51, 0.6, 1, 2, 4, 16, 256, 65536};
  std::array<std::int64_t, kEdges.size() + 1> histogram{};

  double max_ulp() const;
  double mean_ulp() const;
  void merge(const UlpStatistics& other);
  bool operator==(const UlpStatistics&) const = default;
};

/// Adds `answers`, elements of `dtype` as float64 (two for each complex one), with their right
/// values. `first` is the index of the first element.
void measure(DType dtype, std::span<const double> answers, std::span<const Value> truth,
             std::uint64_t first, UlpStatistics& statistics);

}  // namespace upcast::truth
