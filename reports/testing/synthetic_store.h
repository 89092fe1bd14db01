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
  int dtypes = 22;  // how many elementwise dtypes
  bool out_forms = true;
  bool four_defaults = true;
  bool hostile = false;  // names and answers with markup in them
  bool clean = false;    // true: every case agrees or is known
  uint64_t chance = 0;   // a seed: another one gives differences in other cases
  int plugin_ops = 0;    // above 0: the subject is a plug-in with only so many of the ops
  int64_t block_size = 4096;
};

/// The grid of the options, in the shape of the `promotion` grid.
RunPlan synthetic_plan(const SyntheticOptions& options);

/// Cases in rows of a few, as the `ops` grid has them: each its own template.
RunPlan synthetic_rows_plan(int64_t cases);

/// The plan of a case list: one row for each line.
RunPlan synthetic_list_plan(int lines);

/// The plan of a run of rule books: cells of a table (cases 0 to 3), and a question to two systems,
/// the book's own and another.
RunPlan synthetic_rulebooks_plan(const std::string& book = "paddle");

/// The verdicts of one block; equal for equal plan, options and id.
BlockResult synthetic_block(const RunPlan& plan, const SyntheticOptions& options, int64_t id);

/// Writes all blocks and finishes (seconds: 1.5).
void write_synthetic_store(const std::string& path, const RunPlan& plan,
                           const SyntheticOptions& options);

}  // namespace upcast::reports::testing
