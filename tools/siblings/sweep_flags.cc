#include "tools/siblings/sweep_flags.h"

#include "tools/command_line.h"

namespace upcast::tools {
namespace {

constexpr const char* kSweepExamples =
    "Examples:\n"
    "  upcast sweep sin --dtype float16\n"
    "  upcast sweep exp --dtype float32 --side impl:cpu --side libtorch:cpu --out exp.ndjson\n"
    "  upcast sweep exp --dtype float32 --paths\n"
    "  upcast sweep atan2 --dtype float8_e5m2\n"
    "  upcast sweep lgamma --dtype float64 --samples 1000000\n"
    "  upcast sweep exp --dtype float32 --shard 1/2 --out first.ndjson\n"
    "  upcast sweep --merge first.ndjson second.ndjson --json exp.json\n"
    "Exit codes: 0 done, 2 usage or harness fault, 3 incomplete.";

}  // namespace

void add_sweep_flags(CLI::App& app, SweepFlags& flags) {
  app.add_option("op", flags.op, "A callable: sin, pow.Tensor_Tensor");
  app.add_flag("--list", flags.list,
               "List every op: the source of its truth, or why it has none, and its operands");
  app.add_flag("--batch", flags.batch,
               "Many sweeps against the truth: reads JSON lines, writes JSON lines");
  app.add_option("--with", flags.attributes, "Attributes, as in a case line: n=2");
  app.add_option("--dtype", flags.dtype, "A floating dtype")->capture_default_str();
  app.add_option("--side", flags.sides, "A subject; may be repeated (impl:cpu and libtorch:cpu)");
  app.add_flag(
      "--paths", flags.paths,
      "Without the truth: compares, bit by bit, the first side's answers on dense operands with "
      "its answers on other layouts and with the other sides' answers");
  app.add_option("--layout", flags.layouts,
                 "With --paths: dense, strided or shifted; may be repeated (strided, of one side)");
  app.add_option("--samples", flags.samples, "Take this many random inputs instead of all")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", flags.seed,
                 "With --samples: the first seed; another seed gives other inputs (0)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--merge", flags.merged,
                 "Files that --out wrote for the shards of one sweep: report them as one sweep");
  app.add_option("--jobs", flags.jobs, "Processes")->check(CLI::PositiveNumber);
  app.add_option("--shard", flags.shard, "I/N: only every Nth chunk, beginning with the Ith");
  app.add_option("--out", flags.out,
                 "A file that keeps the progress; the same command resumes from it");
  add_json_option(app, flags.json_out);
  app.footer(kSweepExamples);
}

}  // namespace upcast::tools
