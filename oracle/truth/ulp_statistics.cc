#include "oracle/truth/ulp_statistics.h"

#include <algorithm>
#include <cmath>

#include "impl/core/error.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

bool same_value(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
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
  sum_ulp += other.sum_ulp;
  for (std::size_t i = 0; i < histogram.size(); ++i) histogram[i] += other.histogram[i];
}

void measure(DType dtype, std::span<const double> answers, std::span<const Value> truth,
             std::uint64_t first, UlpStatistics& statistics) {
  check(answers.size() == truth.size(), "an answer for each truth");
  statistics.inputs += static_cast<std::int64_t>(answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double answer = answers[i];
    const Value& value = truth[i];
    if (!value.decided) {
      ++statistics.undecided;
      continue;
    }
    // where nothing says which sign a zero has, the value has a leeway
    const bool either_zero = value.leeway != 0 && answer == 0 && value.rounded == 0;
    const bool correct = either_zero || same_value(answer, value.rounded);
    statistics.correctly_rounded += correct ? 1 : 0;
    const bool finite = std::isfinite(value.rounded) && std::isfinite(answer);
    const bool flipped_zero = !correct && answer == value.rounded;
    if (!finite || flipped_zero) {
      if (!correct && statistics.misplaced++ == 0) statistics.first_misplaced = first + i;
      continue;
    }
    const double error = std::abs((answer - value.high) - value.low) /
                         (is_floating(dtype) ? ulp_of(dtype, value.high) : 1);
    if (correct && error > 1) continue;  // beyond the range of a dtype that saturates
    ++statistics.measured;
    statistics.sum_ulp += error;
    if (error > 0) statistics.worst.add({error, first + i});
    const auto& edges = UlpStatistics::kEdges;
    std::size_t bucket = 0;  // nearly always
    if (error > edges[0])
      bucket = static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), error) -
                                        edges.begin());
    ++statistics.histogram[bucket];
  }
}

}  // namespace upcast::truth
