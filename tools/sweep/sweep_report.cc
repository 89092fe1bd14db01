#include "tools/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/json_schemas.h"

namespace upcast::tools {
namespace {

using nlohmann::json;
using truth::UlpStatistics;

double share(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, whole));
}

json side_json(const SweepPlan& plan, const UlpStatistics& s) {
  json worst = json::array();
  for (const truth::InputError& row : s.worst.rows())
    worst.push_back({{"input", plan.input_text(row.index)}, {"ulp", row.error}});
  json side{{"max_ulp", s.max_ulp()},
            {"mean_ulp", s.mean_ulp()},
            {"correctly_rounded", share(s.correctly_rounded, s.inputs - s.undecided)},
            {"worst", worst},
            {"inputs", s.inputs},
            {"undecided", s.undecided},
            {"misplaced", s.misplaced},
            {"histogram_edges", UlpStatistics::kEdges},
            {"histogram", s.histogram}};
  if (s.max_steps) side["max_steps"] = *s.max_steps;
  if (s.misplaced > 0) side["first_misplaced"] = plan.input_text(s.first_misplaced);
  return side;
}

json differences_json(const SweepPlan& plan, const truth::WorstRows<PathDifference>& worst) {
  json rows = json::array();
  for (const PathDifference& row : worst.rows())
    rows.push_back({{"input", plan.input_text(row.index)},
                    {"steps", row.error},
                    {"reference", fmt::format("{:#x}", row.reference)},
                    {"other", fmt::format("{:#x}", row.other)}});
  return rows;
}

json path_json(const SweepPlan& plan, const PathStatistics& s) {
  return {{"inputs", s.inputs},
          {"different", s.different()},
          {"misplaced", s.misplaced},
          {"nan_bits", s.nan_bits},
          {"max_steps", s.max_steps()},
          {"worst", differences_json(plan, s.worst)},
          {"first", differences_json(plan, s.first)},
          {"first_misplaced", differences_json(plan, s.first_misplaced)},
          {"histogram_edges", PathStatistics::kEdges},
          {"histogram", s.histogram}};
}

/// How many inputs the whole plan has, not only this shard, in words.
template <class Statistics>
bool is_whole(const SweepPlan& plan, const SweepOutcome<Statistics>& outcome) {
  return !outcome.sides.empty() &&
         std::all_of(outcome.sides.begin(), outcome.sides.end(),
                     [&plan](const auto& side) { return side.second.inputs == plan.inputs(); });
}

template <class Statistics>
json head_json(const SweepOptions& options, const SweepOutcome<Statistics>& outcome,
               double seconds) {
  const bool whole = is_whole(options.plan, outcome);
  return {{"$schema", json_schemas::kSweep},
          {"op", options.plan.op + options.plan.attributes},
          {"dtype", name(options.plan.dtype)},
          {"inputs", options.plan.inputs()},
          {"exhaustive", options.plan.exhaustive && whole},
          {"complete", outcome.complete() && whole},
          {"seconds", seconds},
          {"versions", outcome.versions}};
}

template <class Statistics>
std::string head_text(const SweepOptions& options, const SweepOutcome<Statistics>& outcome,
                      double seconds) {
  const SweepPlan& plan = options.plan;
  const std::int64_t inputs = outcome.sides.empty() ? 0 : outcome.sides.begin()->second.inputs;
  const bool all = plan.exhaustive && is_whole(plan, outcome);
  const Shard& shard = options.shard;
  const std::string none = shard.index < plan.chunks
                               ? ""
                               : fmt::format(" (shard {} has no input: the sweep has {} chunks)",
                                             shard_text(shard), plan.chunks);
  return fmt::format("{} over {}{} {}inputs of {}{}, {:.1f} s\n", plan.op + plan.attributes,
                     all ? "all " : "", inputs, plan.exhaustive ? "" : "random ", name(plan.dtype),
                     none, seconds);
}

std::string first_text(const SweepPlan& plan, const truth::WorstRows<PathDifference>& rows) {
  const PathDifference& row = rows.rows().front();
  return fmt::format("{}: {:#x}, not {:#x}", plan.input_text(row.index), row.other, row.reference);
}

}  // namespace

json outcome_json(const SweepOptions& options, const SweepOutcome<UlpStatistics>& outcome,
                  double seconds) {
  json all = head_json(options, outcome, seconds);
  all["sides"] = json::object();
  for (const auto& [side, s] : outcome.sides) all["sides"][side] = side_json(options.plan, s);
  return all;
}

json outcome_json(const SweepOptions& options, const std::string& reference,
                  const SweepOutcome<PathStatistics>& outcome, double seconds) {
  json all = head_json(options, outcome, seconds);
  all["reference"] = reference;
  all["paths"] = json::object();
  for (const auto& [path, s] : outcome.sides) all["paths"][path] = path_json(options.plan, s);
  return all;
}

std::string outcome_text(const SweepOptions& options, const SweepOutcome<UlpStatistics>& outcome,
                         double seconds) {
  const SweepPlan& plan = options.plan;
  std::string text = head_text(options, outcome, seconds);
  for (const auto& [side, s] : outcome.sides) {
    text += fmt::format("  {:<32} max {:.4g} ulp", side, s.max_ulp());
    if (!s.worst.rows().empty())
      text += fmt::format(" at {}", plan.input_text(s.worst.rows().front().index));
    if (s.max_steps.value_or(0) > 1) text += fmt::format(", {} steps at most", *s.max_steps);
    text += fmt::format(", mean {:.4g}, {:.4f} % correctly rounded", s.mean_ulp(),
                        100 * share(s.correctly_rounded, s.inputs - s.undecided));
    if (s.misplaced > 0)
      text +=
          fmt::format(", {} misplaced (first {})", s.misplaced, plan.input_text(s.first_misplaced));
    if (s.undecided > 0) text += fmt::format(", {} undecided", s.undecided);
    text += '\n';
  }
  return text;
}

std::string outcome_text(const SweepOptions& options, const std::string& reference,
                         const SweepOutcome<PathStatistics>& outcome, double seconds) {
  std::string text = head_text(options, outcome, seconds);
  text += fmt::format("compared with {}:\n", reference);
  for (const auto& [path, s] : outcome.sides) {
    text += fmt::format("  {:<40} ", path);
    if (s.different() == 0 && s.nan_bits == 0) {
      text += "the same bits\n";
      continue;
    }
    text +=
        fmt::format("{} differ ({:.4g} %)", s.different(), 100 * share(s.different(), s.inputs));
    if (s.stepped > 0)
      text += fmt::format(", by {:.0f} steps at most ({})", s.max_steps(),
                          first_text(options.plan, s.worst));
    if (s.misplaced > 0)
      text += fmt::format(", {} misplaced (first {})", s.misplaced,
                          first_text(options.plan, s.first_misplaced));
    if (s.nan_bits > 0) text += fmt::format(", {} other NaNs", s.nan_bits);
    text += '\n';
  }
  return text;
}

}  // namespace upcast::tools
