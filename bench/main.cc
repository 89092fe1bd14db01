// upcast-bench [promotion | call | elementwise] [--filter TEXT] [--json FILE|-]: `upcast bench`
// starts it.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/call_bench.h"
#include "bench/elementwise_bench.h"
#include "bench/measure.h"
#include "bench/promotion_bench.h"
#include "impl/core/error.h"
#include "oracle/libtorch/settings.h"

namespace upcast::bench {
namespace {

constexpr std::string_view kUsage =
    "usage: upcast bench [promotion | call | elementwise] [--filter TEXT] [--json FILE|-]\n"
    "  promotion  promote_types and result_type beside c10::promoteTypes and "
    "at::native::result_type\n"
    "  call       whole calls beside at::add and others, small and large tensors\n"
    "  elementwise  loops over 2^24 elements, slowest family first (a few minutes);\n"
    "               with --filter only those whose name holds TEXT\n"
    "The sides take turns in one thread, the fastest turn of each counts; ratio above 1 where ours "
    "is\n"
    "faster.\n";

struct Benchmark {
  std::string_view name;
  std::vector<Row> (*rows)(std::string_view filter);
  bool has_filter = false;
};
constexpr Benchmark kBenchmarks[] = {
    {"promotion", [](std::string_view) { return promotion_rows(); }},
    {"call", [](std::string_view) { return call_rows(); }},
    {"elementwise", [](std::string_view filter) { return elementwise_rows(filter); }, true}};

struct Options {
  std::vector<const Benchmark*> benchmarks;
  std::string_view filter;
  std::optional<std::string> json;  // a file, or "-"
  bool help = false;
};

const Benchmark& find_benchmark(std::string_view name) {
  for (const Benchmark& benchmark : kBenchmarks)
    if (benchmark.name == name) return benchmark;
  throw UsageError(fmt::format(
      "bench: unknown benchmark '{}'; there are promotion, call and elementwise", name));
}

Options parse(const std::vector<std::string_view>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument == "--json") {
      if (++i == arguments.size())
        throw UsageError("bench: --json wants a file, or - for standard output");
      options.json = arguments[i];
    } else if (argument == "--filter") {
      if (++i == arguments.size()) throw UsageError("bench: --filter wants a part of a row's name");
      options.filter = arguments[i];
    } else {
      options.benchmarks.push_back(&find_benchmark(argument));
    }
  }
  if (options.benchmarks.empty())
    for (const Benchmark& benchmark : kBenchmarks) options.benchmarks.push_back(&benchmark);
  if (!options.filter.empty())
    for (const Benchmark* benchmark : options.benchmarks)
      if (!benchmark->has_filter)
        throw UsageError(
            fmt::format("bench: --filter is for elementwise, not {}", benchmark->name));
  return options;
}

std::string to_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json json{{"rows", nlohmann::ordered_json::array()}};
  for (const Row& row : rows)
    json["rows"].push_back({{"name", row.name},
                            {"ours", row.ours},
                            {"peer", row.peer},
                            {"unit", "ns"},
                            {"ratio", row.ratio()}});
  json["versions"] = libtorch::versions();
  return json.dump(2) + "\n";
}

void write(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw UsageError(fmt::format("bench: cannot write {}", path));
}

int run(const Options& options) {
  if (options.help) {
    fmt::print("{}", kUsage);
    return 0;
  }
  libtorch::configure(libtorch::Capability::kNative);
  libtorch::silence_warnings_of_this_thread();
  std::FILE* table = options.json == "-" ? stderr : stdout;  // "-" leaves stdout to the JSON
  fmt::print(table, "{:<52} {:>10} {:>10} {:>8}\n", "", "ours, ns", "peer, ns", "ratio");
  std::vector<Row> rows;
  for (const Benchmark* benchmark : options.benchmarks) {
    for (Row& row : benchmark->rows(options.filter)) {
      fmt::print(table, "{:<52} {:>10.2f} {:>10.2f} {:>8.1f}\n", row.name, row.ours, row.peer,
                 row.ratio());
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty())
    throw UsageError(fmt::format("bench: no row's name holds '{}'", options.filter));
  if (options.json) write(*options.json, to_json(rows));
  return 0;
}

}  // namespace
}  // namespace upcast::bench

int main(int argc, char** argv) {
  try {
    return upcast::bench::run(
        upcast::bench::parse(std::vector<std::string_view>(argv + 1, argv + argc)));
  } catch (const upcast::UsageError& error) {
    fmt::print(stderr, "upcast: {}\n", error.what());
    return 2;
  }
}
