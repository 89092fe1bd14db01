// Makes runs without a runner: plans and verdicts as large and as varied as real ones, for tests of
// code that reads run stores. The dtypes are plausible, not PyTorch's.
#pragma once

#include <cstdint>
#include <string>

#include "reports/run_store.h"

namespace upcast::reports::testing {

struct SyntheticOptions {
  int binary_ops = 2;
  int unary_ops = 2;
  int ternary_ops = 0;
  int dtypes = 22;  // how many of the elementwise dtypes the operands have
  bool out_forms = true;
  bool four_defaults = true;
  bool hostile = false;  // whether names and answers have markup in them
  bool clean = false;    // whether every case agrees or is known
  uint64_t chance = 0;   // a seed that decides which cases differ
  int plugin_ops = 0;    // above 0: the subject is a plug-in with only so many ops
  int64_t block_size = 4096;
};

/// The plan of a grid with these options, in the shape of the grid `promotion`.
RunPlan synthetic_plan(const SyntheticOptions& options);

/// A plan of `cases` cases in rows of a few cases, as the grid `ops` has them. Each row has a
/// template of its own.
RunPlan synthetic_rows_plan(int64_t cases);

/// The plan of a case list: one row for each line.
RunPlan synthetic_list_plan(int lines);

/// The plan of a run of rule books: cells of a table (cases 0 to 3), then a question to two
/// systems, the book's own and another one.
RunPlan synthetic_rulebooks_plan(const std::string& book = "paddle");

/// The made-up verdicts of one block. They depend on plan, options and id alone.
BlockResult synthetic_block(const RunPlan& plan, const SyntheticOptions& options, int64_t id);

/// Writes a store with all blocks of a plan, and marks it complete after 1.5 seconds of run time.
void write_synthetic_store(const std::string& path, const RunPlan& plan,
                           const SyntheticOptions& options);

}  // namespace upcast::reports::testing
