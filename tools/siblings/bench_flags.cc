#include "tools/siblings/bench_flags.h"

#include "tools/command_line.h"

namespace upcast::tools {
namespace {

constexpr const char* kBenchmarks =
    "Benchmarks:\n"
    "  promotion    promote_types and result_type, compared with c10::promoteTypes and\n"
    "               at::native::result_type\n"
    "  call         whole calls, compared with at::add and others, on small and large tensors\n"
    "  elementwise  loops over 2^24 elements, slowest row first (a minute; --all: some minutes)\n"
    "  gpu          our CUDA kernels, LibTorch's, and the shortest possible time for the bytes\n"
    "               moved; runs only if it is named\n"
    "The sides take turns in one thread. The median turn of each counts. The ratio is above 1\n"
    "where ours is faster; the quartiles are those of the ratios of neighbouring turns.";

}  // namespace

void add_bench_flags(CLI::App& app, BenchFlags& flags) {
  app.add_option("BENCHMARK", flags.benchmarks,
                 "promotion, call, elementwise or gpu (default: the first three)");
  app.add_option("--filter", flags.filter,
                 "For elementwise and gpu: only rows with this text in their name (\"2^28\")");
  app.add_flag("--all", flags.all,
               "For elementwise: also an op of each family in every dtype, and pairs of dtypes");
  app.add_option("--predict", flags.predicted_device,
                 "For gpu: only print the shortest possible times at the published bandwidth of "
                 "this device (H200); needs no GPU");
  add_json_option(app, flags.json_out);
  app.footer(kBenchmarks);
}

}  // namespace upcast::tools
