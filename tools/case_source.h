// The cases of a run: a grid, or lines from arguments, files and standard input.
#pragma once

#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/selection.h"

namespace upcast::tools {

struct CaseSource {
  std::string grid;
  std::vector<std::string> files;
  std::vector<std::string> cases;  // "-" stands for the lines of standard input
  SelectionWords selection{};      // of the grid, or of the cases
};

/// The plan. Throws UsageError with the place of what is wrong, where nothing is given, and where
/// the selection leaves nothing.
Plan load_plan(const CaseSource& source);

/// "grid promotion, --ops add", as reports name it.
std::string source_text(const CaseSource& source, const Plan& plan);

/// The plan's cases as lines, for a worker; empty for a grid.
std::vector<std::string> plan_lines(const CaseSource& source, const Plan& plan);

/// False where no case can yield a value to judge: every one expects a refusal, or asks for a
/// dtype.
bool may_judge_values(const Plan& plan);

}  // namespace upcast::tools
