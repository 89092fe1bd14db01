#include "tools/siblings/bench_flags.h"

#include "tools/command_line.h"

namespace upcast::tools {
namespace {

constexpr const char* kBenchmarks =
    "Benchmarks:\n"
    "  promotion    promote_types and result_type, and c10::promoteTypes and\n"
    "               at::native::result_type\n"
    "  call         whole calls, and those of at::add and others, small and large tensors\n"
    "  elementwise  loops over 2^24 elements, slowest row first (a minute; --all: some minutes)\n"
    "  gpu          our CUDA kernels, LibTorch's, and what the bytes they move take at least;\n"
    "               it runs alone, and only where it is named\n"
    "The sides take turns in one thread. The median turn of each counts. The ratio is above 1\n"
    "where ours is faster; the quartiles are those of the ratios of neighbouring turns.";

}  // namespace

void add_bench_flags(CLI::App& app, BenchFlags& flags) {
  app.add_option("BENCHMARK", flags.benchmarks,
                 "promotion, call, elementwise or gpu (default: the first three)");
  app.add_option("--filter", flags.filter,
                 "Of elementwise and gpu: only the rows whose name holds this text (\"2^28\")");
  app.add_flag("--all", flags.all,
               "Of elementwise: also an op of each family in every dtype, and pairs of dtypes");
  app.add_option("--predict", flags.predicted_device,
                 "Of gpu: the least times alone, by the published bandwidth of this device "
                 "(H200); needs no GPU");
  add_json_option(app, flags.json_out);
  app.footer(kBenchmarks);
}

}  // namespace upcast::tools
