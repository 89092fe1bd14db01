#include "tools/fuzz/tuple_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/tuple_map.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

/// How many gaps of a combination of factors are listed; the others are only counted.
constexpr std::size_t kMaxGaps = 20;

struct Counts {
  std::int64_t possible = 0, asked = 0, answered = 0;

  void add(std::uint8_t mark) {
    ++possible;
    asked += (mark & fuzz::kAsked) != 0;
    answered += (mark & fuzz::kAnswered) != 0;
  }
  void add(const Counts& other) {
    possible += other.possible;
    asked += other.asked;
    answered += other.answered;
  }
  json to_json() const {
    return {{"possible", possible}, {"asked", asked}, {"answered", answered}};
  }
};

/// A gap in the coverage of a combination of factors. `of`: a value for each factor but the last.
/// `missing`: the values of the last factor that were never asked with them.
struct Gap {
  std::vector<int> of, missing;
};

std::vector<int> values_of(const TupleSpace& space, const Combination& combination,
                           std::size_t number) {
  std::vector<int> values(static_cast<std::size_t>(combination.ways));
  for (int i = combination.ways; i-- > 0;) {
    const auto size = static_cast<std::size_t>(space.values_of(combination.factors[i]));
    values[static_cast<std::size_t>(i)] = static_cast<int>(number % size);
    number /= size;
  }
  return values;
}

json to_json(const TupleSpace& space, const Combination& combination, const Gap& gap) {
  json row{{"of", json::array()}, {"missing", json::array()}};
  for (std::size_t i = 0; i < gap.of.size(); ++i)
    row["of"].push_back(space.value_name(combination.factors[i], gap.of[i]));
  const Factor last = combination.factors[static_cast<std::size_t>(combination.ways) - 1];
  for (const int value : gap.missing) row["missing"].push_back(space.value_name(last, value));
  return row;
}

/// Counts the tuples of one combination of factors that a campaign asked.
class Tally {
 public:
  Tally(const TupleSpace& space, const Combination& combination)
      : space_(space), combination_(combination) {}

  void add(std::size_t number, std::uint8_t mark) {
    counts.add(mark);
    if ((mark & fuzz::kAsked) != 0) return;
    std::vector<int> values = values_of(space_, combination_, number);
    const int last = values.back();
    values.pop_back();
    if (gaps_.empty() || gaps_.back().of != values) gaps_.push_back({std::move(values), {}});
    gaps_.back().missing.push_back(last);
  }

  json to_json() {
    std::stable_sort(gaps_.begin(), gaps_.end(), [](const Gap& a, const Gap& b) {
      return a.missing.size() > b.missing.size();
    });
    json row = counts.to_json();
    row["factors"] = json::array();
    for (int i = 0; i < combination_.ways; ++i)
      row["factors"].push_back(name(combination_.factors[i]));
    row["gaps"] = json::array();
    const std::size_t shown = std::min(gaps_.size(), kMaxGaps);
    for (std::size_t i = 0; i < shown; ++i)
      row["gaps"].push_back(tools::to_json(space_, combination_, gaps_[i]));
    row["gaps_left_out"] = gaps_.size() - shown;
    return row;
  }

  Counts counts;

 private:
  const TupleSpace& space_;
  const Combination& combination_;
  std::vector<Gap> gaps_;
};

double percent(const json& counts) {
  return 100 * counts["asked"].get<double>() / std::max(1.0, counts["possible"].get<double>());
}

}  // namespace

json tuple_coverage(const TupleSpace& space, const std::vector<std::uint8_t>& marks) {
  const std::vector<bool> possible = space.possible();
  Counts pairs, triples;
  std::vector<Counts> ops(static_cast<std::size_t>(space.values_of(Factor::kOp)));
  json combinations = json::array();
  for (const Combination& combination : space.combinations()) {
    Tally tally(space, combination);
    for (std::size_t i = 0; i < combination.size; ++i) {
      const std::size_t number = combination.first + i;
      if (!possible[number]) continue;
      tally.add(i, marks[number]);
      if (combination.factors[0] == Factor::kOp)
        ops[i / (combination.size / ops.size())].add(marks[number]);
    }
    (combination.ways == 2 ? pairs : triples).add(tally.counts);
    combinations.push_back(tally.to_json());
  }
  json coverage{{"factors", json::array()},
                {"pairs", pairs.to_json()},
                {"triples", triples.to_json()},
                {"combinations", std::move(combinations)},
                {"ops", json::array()}};
  for (std::size_t i = 0; i < kFactors; ++i) {
    const auto factor = static_cast<Factor>(i);
    coverage["factors"].push_back({{"name", name(factor)}, {"values", space.values_of(factor)}});
  }
  for (std::size_t op = 0; op < ops.size(); ++op) {
    json row = ops[op].to_json();
    row["op"] = space.value_name(Factor::kOp, static_cast<int>(op));
    coverage["ops"].push_back(std::move(row));
  }
  return coverage;
}

std::string coverage_text(const json& coverage) {
  return fmt::format("tuples asked: {:.1f} % of {} pairs, {:.1f} % of {} triples",
                     percent(coverage["pairs"]), coverage["pairs"]["possible"].get<std::int64_t>(),
                     percent(coverage["triples"]),
                     coverage["triples"]["possible"].get<std::int64_t>());
}

}  // namespace upcast::tools
