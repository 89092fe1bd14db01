#include "oracle/truth/ulp_statistics.h"

#include <algorithm>
#include <cmath>

#include "impl/core/error.h"
#include "oracle/same_value.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

/// How one element of an answer, or one part of it, deviates from the exact value.
struct Deviation {
  bool correct = false;    // whether the element is the nearest value, or the right special value
  bool finite = false;     // whether both values are finite, so that they have a distance
  bool misplaced = false;  // whether only one value is special, or both are special and differ
  double distance = 0;
  std::uint64_t steps = 0;
};

std::uint64_t steps_between(DType part, double a, double b) {
  return is_floating(part) ? step_distance(part, a, b)
                           : static_cast<std::uint64_t>(std::abs(a - b));
}

Deviation deviation_of(DType part, double answer, const Value& value) {
  // A value with a leeway may be a zero of either sign, if no document says which.
  const bool either_zero = value.leeway != 0 && answer == 0 && value.rounded == 0;
  Deviation deviation;
  deviation.correct = either_zero || same_value(answer, value.rounded);
  deviation.finite = std::isfinite(value.rounded) && std::isfinite(answer);
  if (deviation.finite && (deviation.correct || answer != value.rounded))
    deviation.distance = distance_to(answer, value.high, value.low);
  else
    deviation.misplaced = !deviation.correct;
  if (deviation.finite && !deviation.correct)
    deviation.steps = steps_between(part, answer, value.rounded);
  return deviation;
}

/// The number of the histogram's bucket for an error. The last bucket has no upper edge.
std::size_t bucket_of(double error) {
  const auto& edges = UlpStatistics::kEdges;
  if (error <= edges[0]) return 0;  // nearly always
  return static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), error) -
                                  edges.begin());
}

template <std::size_t Parts>
void measure_elements(DType part, std::span<const double> answers, std::span<const Value> truth,
                      std::uint64_t first, UlpStatistics& statistics) {
  const std::size_t count = answers.size() / Parts;
  statistics.inputs += static_cast<std::int64_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    bool decided = true, correct = true, misplaced = false, finite = true;
    double distance = 0, size = 0;
    std::uint64_t steps = 0;
    for (std::size_t p = Parts * i; p < Parts * (i + 1); ++p) {
      const Deviation deviation = deviation_of(part, answers[p], truth[p]);
      decided &= truth[p].decided;
      correct &= deviation.correct;
      misplaced |= deviation.misplaced;
      finite &= deviation.finite;
      distance = std::max(distance, deviation.distance);
      steps = std::max(steps, deviation.steps);
      size = std::max(size, std::abs(truth[p].high));
    }
    if (!decided) {
      ++statistics.undecided;
      continue;
    }
    statistics.correctly_rounded += correct ? 1 : 0;
    if (misplaced && statistics.misplaced++ == 0) statistics.first_misplaced = first + i;
    if (misplaced || !finite) continue;
    const double error = std::min(error_in_ulp(part, distance, size), UlpStatistics::kLargestError);
    // The exact value is out of the dtype's range, and the largest value is right.
    if (correct && error > 1) continue;
    ++statistics.measured;
    statistics.sum_ulp += error;
    if (error > 0) statistics.worst.add({error, first + i});
    if (steps > *statistics.max_steps) statistics.max_steps = steps;
    ++statistics.histogram[bucket_of(error)];
  }
}

}  // namespace

double UlpStatistics::max_ulp() const {
  return worst.rows().empty() ? 0 : worst.rows().front().error;
}

double UlpStatistics::mean_ulp() const {
  return measured == 0 ? 0 : sum_ulp / static_cast<double>(measured);
}

void UlpStatistics::merge(const UlpStatistics& other) {
  inputs += other.inputs;
  undecided += other.undecided;
  correctly_rounded += other.correctly_rounded;
  if (other.misplaced > 0)
    first_misplaced =
        misplaced > 0 ? std::min(first_misplaced, other.first_misplaced) : other.first_misplaced;
  misplaced += other.misplaced;
  measured += other.measured;
  worst.merge(other.worst);
  if (max_steps && other.max_steps)
    max_steps = std::max(*max_steps, *other.max_steps);
  else
    max_steps = std::nullopt;
  sum_ulp += other.sum_ulp;
  for (std::size_t i = 0; i < histogram.size(); ++i) histogram[i] += other.histogram[i];
}

void measure(DType dtype, std::span<const double> answers, std::span<const Value> truth,
             std::uint64_t first, UlpStatistics& statistics) {
  check(answers.size() == truth.size(), "an answer for each truth");
  if (is_complex(dtype))
    measure_elements<2>(to_real(dtype), answers, truth, first, statistics);
  else
    measure_elements<1>(dtype, answers, truth, first, statistics);
}

}  // namespace upcast::truth
