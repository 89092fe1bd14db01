#include "tools/sweep/sweep_command.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "cases/json_text.h"
#include "cases/operand_text.h"
#include "impl/core/error.h"
#include "impl/ops/catalogue.h"
#include "oracle/error_bounds.h"
#include "oracle/host/versions.h"
#include "oracle/truth/coverage.h"
#include "tools/command_line.h"
#include "tools/progress.h"
#include "tools/siblings/sweep_flags.h"
#include "tools/sweep/path_sweep.h"
#include "tools/sweep/sweep_report.h"
#include "tools/sweep/ulp_sweep.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kBatchInputs = 1 << 16;

DType dtype_named(const std::string& text) {
  try {
    TextCursor cursor(text);
    const DType dtype = parse_dtype(cursor);
    if (cursor.at_end()) return dtype;
    throw UsageError("--dtype is one dtype, not '" + text + "'");
  } catch (const SyntaxFault& fault) {
    throw UsageError("--dtype " + text + ": " + fault.message);
  }
}

SweepOptions options_of(const SweepFlags& flags) {
  SweepOptions options;
  const DType dtype = dtype_named(flags.dtype);
  options.plan = make_sweep_plan(flags.op, flags.attributes, dtype, flags.samples,
                                 flags.paths ? kPathChunk : kTruthChunk);
  if (flags.seed != 0 && options.plan.exhaustive)
    throw UsageError("--seed needs --samples: without it every input is swept");
  options.plan.first_seed = flags.seed;
  options.sides = flags.sides;
  options.out = flags.out;
  options.jobs = std::max(1, flags.jobs);
  options.shard = parse_shard(flags.shard);
  return options;
}

/// Shows the progress of a sweep. It counts inputs, each once for each side.
ShowProgress shown(const SweepPlan& plan, std::optional<Progress>& progress) {
  return [&](SweepProgress chunks) {
    if (!progress)
      progress.emplace("input", chunks.done * plan.chunk_inputs,
                       chunks.planned * plan.chunk_inputs);
    progress->update(chunks.done * plan.chunk_inputs);
  };
}

void write_outcome(const SweepFlags& flags, const json& outcome, const std::string& text) {
  write_output(flags.json_out, dump_json(outcome, 2) + "\n");
  fmt::print(people(flags.json_out), "{}", text);
}

int sweep(const SweepFlags& flags) {
  const SweepOptions options = options_of(flags);
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::optional<Progress> progress;
  if (flags.paths) {
    const std::vector<Path> paths = paths_of(flags.sides, flags.layouts);
    const auto outcome = run_path_sweep(options, paths, shown(options.plan, progress));
    progress.reset();
    const std::string reference = paths.front().name();
    write_outcome(flags, outcome_json(options, reference, outcome, seconds()),
                  outcome_text(options, reference, outcome, seconds()));
    return outcome.complete() ? 0 : 3;
  }
  const auto outcome = run_ulp_sweep(options, shown(options.plan, progress));
  progress.reset();
  write_outcome(flags, outcome_json(options, outcome, seconds()),
                outcome_text(options, outcome, seconds()));
  return outcome.complete() ? 0 : 3;
}

/// Combines the files that several runs wrote with --out into the result of one sweep. Returns the
/// exit code.
int merge(const SweepFlags& flags) {
  const SweepParts parts = read_sweep_parts(flags.merged);
  if (parts.kind.starts_with(kPathsOf)) {
    const std::string reference = parts.kind.substr(kPathsOf.size());
    const auto outcome = merge_parts<PathStatistics>(parts);
    write_outcome(flags, outcome_json(parts.options, reference, outcome, 0),
                  outcome_text(parts.options, reference, outcome, 0));
    return outcome.complete() ? 0 : 3;
  }
  const auto outcome = merge_parts<truth::UlpStatistics>(parts);
  write_outcome(flags, outcome_json(parts.options, outcome, 0),
                outcome_text(parts.options, outcome, 0));
  return outcome.complete() ? 0 : 3;
}

int operands_of(const Op& op) {
  return static_cast<int>(std::count_if(op.spec->operands.begin(), op.spec->operands.end(),
                                        [](std::string_view name) { return !name.empty(); }));
}

/// The error bounds, in ulp, that an op's row in the catalogue claims for our own results: {dtype:
/// bound}.
json bounds_of(const Op& op) {
  json bounds;
  for (const DType dtype : (kFloats | kFloat8s | kFullComplex).dtypes())
    bounds[name(dtype)] = error_bound(op.spec->accuracy, dtype, Implementation::kOurs);
  return bounds;
}

/// Lists every op once for each kind of numbers that it computes with, and once if it is a
/// composition. Each row has the source of the truth, or why there is none, and what the op's row
/// says of sweeps.
int list_ops(const std::string& json_out) {
  json rows = json::array();
  for (const Op& op : catalogue()) {
    const auto add = [&](std::string_view numbers, std::string_view source,
                         std::string_view without) {
      const Sweep& sweep = op.spec->sweep;
      rows.push_back({{"op", op.spec->name},
                      {"numbers", numbers},
                      {"operands", operands_of(op)},
                      {"source", source},
                      {"without", without},
                      {"attributes", sweep.attributes},
                      {"slow", sweep.slow},
                      {"bounds", bounds_of(op)},
                      {"why_never", sweep.why_never},
                      {"why_no_sample", sweep.why_no_sample}});
    };
    if (const truth::CompositionRow* row = truth::find_composition(op.spec->name))
      add("composition", row->once ? row->note : "", row->once ? "" : row->note);
    for (const truth::NumberKind kind : truth::kinds_of(op))
      add(truth::name(kind), truth::source_of(op.spec->name, kind), "");
  }
  write_output(json_out, dump_json(rows, 2) + "\n");
  for (const json& row : rows) {
    const auto source = row["source"].get<std::string>();
    fmt::print(people(json_out), "{:<36} {:<15} {} {}\n", row["op"].get<std::string>(),
               row["numbers"].get<std::string>(), row["operands"].get<int>(),
               source.empty() ? "no truth: " + row["without"].get<std::string>() : source);
  }
  return 0;
}

/// Runs a sweep against the truth for each line of standard input: {"op": "sin", "dtype":
/// "float16", "with": "", "sides": ["impl:cpu"]}. Prints a line of JSON for each, in the same
/// order: the result, or why the sweep cannot be made.
int sweep_batch(SweepFlags flags) {
  std::string line;
  while (std::getline(std::cin, line)) {
    const json wanted = read_json(line);
    try {
      if (!wanted.is_object()) throw UsageError("--batch reads one JSON object on each line");
      flags.op = wanted.at("op");
      flags.dtype = wanted.at("dtype");
      flags.attributes = wanted.value("with", "");
      flags.samples = wanted.value("samples", 0);
      flags.seed = wanted.value("seed", 0);
      flags.sides = wanted.at("sides").get<std::vector<std::string>>();
      const SweepOptions options = options_of(flags);
      if (options.plan.exhaustive && options.plan.inputs() > kBatchInputs)
        throw UsageError(fmt::format("{} inputs of {} are too many for a batch",
                                     options.plan.inputs(), flags.op));
      const auto outcome = run_ulp_sweep(options, [](SweepProgress) {});
      fmt::print("{}\n", dump_json(outcome_json(options, outcome, 0)));
    } catch (const UsageError& error) {
      fmt::print("{}\n", dump_json(json{{"error", error.what()}}));
    } catch (const json::exception& error) {
      fmt::print("{}\n", dump_json(json{{"error", error.what()}}));
    }
    std::fflush(stdout);
  }
  return 0;
}

int run(SweepFlags& flags, const DefaultSides& defaults) {
  if (flags.list) return list_ops(flags.json_out);
  if (flags.batch) return sweep_batch(flags);
  if (!flags.merged.empty()) {
    if (!flags.op.empty())
      throw UsageError("--merge takes no op and no other flags: the files say what was swept");
    return merge(flags);
  }
  if (flags.op.empty())
    throw UsageError("name an op to sweep; 'upcast sweep --list' shows those that have a truth");
  if (!flags.layouts.empty() && !flags.paths) throw UsageError("--layout needs --paths");
  if (flags.sides.empty()) flags.sides = flags.paths ? defaults.paths : defaults.truth;
  if (flags.layouts.empty() && flags.sides.size() == 1) flags.layouts = {"strided"};
  return sweep(flags);
}

}  // namespace

int sweep_main(int argc, char** argv, const DefaultSides& defaults) {
  // malloc keeps freed memory and does not return it to the system, because every chunk needs the
  // same sizes again.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  SweepFlags flags;
  CLI::App app("Errors of sides against the truth, over every input of an op", "upcast sweep");
  add_sweep_flags(app, flags);
  return run_command_line(app, argc, argv, [&] { return run(flags, defaults); });
}

}  // namespace upcast::tools
