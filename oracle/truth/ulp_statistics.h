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
  std::uint64_t index = 0;  // number of the input that has this error
  bool operator==(const InputError&) const = default;
};

/// The errors of one side over some elements, in ulp of the elements' dtype at the exact value
/// (docs/numerics.md). For a complex dtype the larger part counts, at that part. For an integral
/// dtype or bool, errors are measured in ones. If only one of answer and exact value is an
/// infinity, a NaN or a zero of a sign, there is no error in ulp: the element is counted as
/// misplaced.
struct UlpStatistics {
  std::int64_t inputs = 0;
  std::int64_t undecided = 0;  // elements without a truth, which no other count includes
  // Elements that are the nearest value, or the right special value.
  std::int64_t correctly_rounded = 0;
  std::int64_t misplaced = 0;
  std::int64_t measured = 0;  // elements with a finite error in ulp
  // Number of the first misplaced element's input, over all chunks.
  std::uint64_t first_misplaced = 0;
  WorstRows<InputError> worst;  // the inputs with the largest errors
  /// The most steps from the nearest value that an element with an error in ulp has. A complex
  /// element's worse part counts; for an integral dtype steps are ones. Nothing if a chunk from an
  /// older version, which has no steps, was merged.
  std::optional<std::uint64_t> max_steps = 0;
  double sum_ulp = 0;
  /// The largest error that is counted, in ulp. Larger ones count as this one, so that sums are
  /// finite.
  static constexpr double kLargestError = 1e100;
  /// Edges of the histogram's buckets: bucket i holds errors of at most kEdges[i] ulp, and one more
  /// bucket the rest.
  static constexpr std::array<double, 10> kEdges{0.5, 0.501, 0.51, 0.6, 1, 2, 4, 16, 256, 65536};
  std::array<std::int64_t, kEdges.size() + 1> histogram{};

  double max_ulp() const;
  double mean_ulp() const;
  void merge(const UlpStatistics& other);
  bool operator==(const UlpStatistics&) const = default;
};

/// Adds the errors of some elements to the statistics. `answers`: elements of `dtype` as float64
/// (two for each complex one). `truth`: their right values. `first`: the number of the first
/// element's input.
void measure(DType dtype, std::span<const double> answers, std::span<const Value> truth,
             std::uint64_t first, UlpStatistics& statistics);

}  // namespace upcast::truth
