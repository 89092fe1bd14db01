// Reads the cases of a run: a grid, or lines from arguments, files and standard input.
#pragma once

#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/selection.h"

namespace upcast::tools {

struct CaseSource {
  std::string grid;
  std::vector<std::string> files;
  std::vector<std::string> cases;  // lines; "-": those of standard input
  SelectionWords selection{};      // the part of the cases to run; empty: all
};

/// Makes the plan of a run from its source. Throws UsageError, with the place of the fault, if the
/// source has a fault, if there is no source, or if the selection leaves no case.
Plan load_plan(const CaseSource& source);

/// The name of a source in reports: "grid promotion, --ops add".
std::string source_text(const CaseSource& source, const Plan& plan);

/// The lines of a plan's cases, which a worker needs; empty for a grid, which a worker makes
/// itself.
std::vector<std::string> plan_lines(const CaseSource& source, const Plan& plan);

/// Whether some case can yield a value to judge. None can if every case expects a refusal, or asks
/// for a dtype.
bool may_judge_values(const Plan& plan);

}  // namespace upcast::tools
