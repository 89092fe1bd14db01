// upcast-bench times our implementation and LibTorch, side by side. `upcast bench` starts it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/call_bench.h"
#include "bench/elementwise_bench.h"
#include "bench/gpu/gpu_bench.h"
#include "bench/group_ratios.h"
#include "bench/measure.h"
#include "bench/promotion_bench.h"
#include "bench/recycled_memory.h"
#include "cases/json_schemas.h"
#include "impl/core/capability.h"
#include "impl/core/error.h"
#include "oracle/host/versions.h"
#include "oracle/libtorch/settings.h"
#include "tools/command_line.h"
#include "tools/siblings/bench_flags.h"
#include "tools/write_file.h"

namespace upcast::bench {
namespace {

struct Options;

struct Benchmark {
  std::string_view name;
  Report (*run)(const Options& options);
  bool is_elementwise = false;
  bool is_of_gpus = false;

  bool has_filter() const { return is_elementwise || is_of_gpus; }
};

struct Options {
  std::vector<const Benchmark*> benchmarks;
  std::string filter;
  bool all = false;
  std::string predicted_device;
  std::string json;  // the path of the JSON file, or "-" for standard output
};

Report on_host(Report report) {
  report.versions = libtorch::versions();
  report.versions.merge(machine_versions());
  report.versions["impl.capability"] = name(best_capability());
  return report;
}

constexpr Benchmark kBenchmarks[] = {
    {"promotion", [](const Options&) { return on_host({.rows = promotion_rows()}); }},
    {"call", [](const Options&) { return on_host({.rows = call_rows()}); }},
    {"elementwise",
     [](const Options& options) {
       return on_host(elementwise_report({.filter = options.filter, .all = options.all}));
     },
     true},
    {"gpu",
     [](const Options& options) {
       return options.predicted_device.empty()
                  ? gpu_report(options.filter)
                  : gpu_prediction(options.predicted_device, options.filter);
     },
     false, true}};

const Benchmark& find_benchmark(std::string_view name) {
  for (const Benchmark& benchmark : kBenchmarks)
    if (benchmark.name == name) return benchmark;
  throw UsageError(fmt::format(
      "bench: unknown benchmark '{}'; there are promotion, call, elementwise and gpu", name));
}

Options options_of(const tools::BenchFlags& flags) {
  Options options{.benchmarks = {},
                  .filter = flags.filter,
                  .all = flags.all,
                  .predicted_device = flags.predicted_device,
                  .json = flags.json_out};
  for (const std::string& name : flags.benchmarks)
    options.benchmarks.push_back(&find_benchmark(name));
  if (options.benchmarks.empty())
    for (const Benchmark& benchmark : kBenchmarks)
      if (!benchmark.is_of_gpus) options.benchmarks.push_back(&benchmark);
  for (const Benchmark* benchmark : options.benchmarks) {
    if (!options.filter.empty() && !benchmark->has_filter())
      throw UsageError(fmt::format("bench: --filter works with elementwise and gpu, not with {}",
                                   benchmark->name));
    if (options.all && !benchmark->is_elementwise)
      throw UsageError(
          fmt::format("bench: --all works with elementwise, not with {}", benchmark->name));
    if (!options.predicted_device.empty() && !benchmark->is_of_gpus)
      throw UsageError(
          fmt::format("bench: --predict works with gpu, not with {}", benchmark->name));
    if (benchmark->is_of_gpus && options.benchmarks.size() > 1)
      throw UsageError(
          "bench: gpu runs alone, because LibTorch can be set up only once in a process");
  }
  return options;
}

std::string to_json(const Report& report) {
  nlohmann::ordered_json json{{"$schema", json_schemas::kBench},
                              {"rows", nlohmann::ordered_json::array()}};
  for (const Row& row : report.rows) {
    nlohmann::ordered_json& made = json["rows"].emplace_back();
    made = {{"name", row.name},
            {"ours", row.ours},  // JSON has null for a number that was not measured
            {"peer", row.peer},
            {"unit", "ns"},
            {"ratio", row.ratio()}};
    if (!std::isnan(row.low_ratio)) {
      made["low_ratio"] = row.low_ratio;
      made["high_ratio"] = row.high_ratio;
    }
    if (row.rounds > 1) made["rounds"] = row.rounds;
    if (std::isnan(row.predicted)) continue;
    made["predicted"] = row.predicted;
    made["bytes"] = row.bytes;
    if (!row.path.empty()) made["path"] = row.path;
  }
  for (const GroupRatios& group : group_ratios(report.rows))
    json["groups"].push_back({{"name", group.name},
                              {"rows", group.rows},
                              {"median", group.median},
                              {"lowest", group.lowest},
                              {"slowest", group.slowest}});
  json["versions"] = report.versions;
  if (!report.notes.empty()) json["notes"] = report.notes;
  return json.dump(2) + "\n";
}

std::string number(double value, int digits) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

void print_table(std::FILE* file, const Report& report, bool is_of_gpus) {
  const bool predicts = std::any_of(report.rows.begin(), report.rows.end(),
                                    [](const Row& row) { return !std::isnan(row.predicted); });
  fmt::print(file, "{:<74} {:>12} {:>12} {:>8} {:>13}", "", "ours, ns", "peer, ns", "ratio",
             "quartiles");
  if (predicts)
    fmt::print(file, " {:>13} {:>6}", is_of_gpus ? "predicted, ns" : "copy, ns", "of it");
  fmt::print(file, "{}\n", is_of_gpus ? "  path" : "");
  for (const Row& row : report.rows) {
    fmt::print(file, "{:<74} {:>12} {:>12} {:>8} {:>6} {:>6}", row.name, number(row.ours, 2),
               number(row.peer, 2), number(row.ratio(), 2), number(row.low_ratio, 2),
               number(row.high_ratio, 2));
    if (predicts)
      fmt::print(file, " {:>13} {:>6}", number(row.predicted, is_of_gpus ? 0 : 2),
                 number(row.predicted / row.ours, 2));
    fmt::print(file, "{}{}\n", is_of_gpus ? "  " : "", row.path);
  }
  for (const GroupRatios& group : group_ratios(report.rows))
    fmt::print(file, "{}: median ratio {:.2f} of {} rows, lowest {:.2f} ({})\n", group.name,
               group.median, group.rows, group.lowest, group.slowest);
  for (const std::string& note : report.notes) fmt::print(file, "{}\n", note);
}

int run(const Options& options) {
  if (!options.benchmarks.front()->is_of_gpus) {
    libtorch::configure(libtorch::Capability::kNative);
    libtorch::silence_warnings_of_this_thread();
    recycle_memory_of_libtorch();
  }
  std::FILE* const table = tools::people(options.json);
  Report all;
  for (const Benchmark* benchmark : options.benchmarks) {
    Report report = benchmark->run(options);
    if (report.rows.empty())
      throw UsageError(fmt::format("bench: no row has '{}' in its name", options.filter));
    print_table(table, report, benchmark->is_of_gpus);
    all.rows.insert(all.rows.end(), report.rows.begin(), report.rows.end());
    all.notes.insert(all.notes.end(), report.notes.begin(), report.notes.end());
    all.versions.merge(report.versions);
  }
  tools::write_output(options.json, to_json(all));
  return 0;
}

}  // namespace
}  // namespace upcast::bench

int main(int argc, char** argv) {
  using namespace upcast;
  tools::BenchFlags flags;
  CLI::App app("Compare the speed of our implementation with LibTorch's", "upcast bench");
  tools::add_bench_flags(app, flags);
  return tools::run_command_line(app, argc, argv,
                                 [&] { return bench::run(bench::options_of(flags)); });
}
