// The flags of `upcast sweep`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace upcast::tools {

struct SweepFlags {
  std::string op, attributes, dtype = "float16", out, json_out, shard = "1/1";
  std::vector<std::string> sides, layouts, merged;
  std::int64_t samples = 0, seed = 0;
  bool list = false, paths = false, batch = false;
  int jobs = static_cast<int>(std::thread::hardware_concurrency());
};

void add_sweep_flags(CLI::App& app, SweepFlags& flags);

}  // namespace upcast::tools
