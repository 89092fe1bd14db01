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
               "Every op: its truth's source or why it has none, its operands");
  app.add_flag("--batch", flags.batch,
               "Many sweeps beside the truth: JSON lines in, JSON lines out");
  app.add_option("--with", flags.attributes, "Attributes, as in a case line: n=2");
  app.add_option("--dtype", flags.dtype, "A floating dtype")->capture_default_str();
  app.add_option("--side", flags.sides, "A subject; may be repeated (impl:cpu and libtorch:cpu)");
  app.add_flag("--paths", flags.paths,
               "Without a truth: the first side on dense operands, beside itself on others and "
               "beside the other sides, bit by bit");
  app.add_option("--layout", flags.layouts,
                 "With --paths: dense, strided or shifted; may be repeated (strided, of one side)");
  app.add_option("--samples", flags.samples, "That many random inputs, not all")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", flags.seed, "Of --samples: where the seeds begin, for other inputs (0)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--merge", flags.merged,
                 "Files that --out kept of one sweep's shards: as one sweep");
  app.add_option("--jobs", flags.jobs, "Processes")->check(CLI::PositiveNumber);
  app.add_option("--shard", flags.shard, "I/N: only every Nth chunk, from the Ith on");
  app.add_option("--out", flags.out, "A file that keeps what is done; the same command goes on");
  add_json_option(app, flags.json_out);
  app.footer(kSweepExamples);
}

}  // namespace upcast::tools
