// The flags of `upcast bench`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace upcast::tools {

struct BenchFlags {
  std::vector<std::string> benchmarks;
  std::string filter;
  bool all = false;
  std::string predicted_device;
  std::string json_out;
};

void add_bench_flags(CLI::App& app, BenchFlags& flags);

}  // namespace upcast::tools
