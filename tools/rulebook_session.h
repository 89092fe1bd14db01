// `upcast run --grid rulebooks`: the rule books against the tables of the real libraries, cell by
// cell, and every system's answers to the questions on which systems are compared. Needs no
// worker: a rule book is a function of dtypes.
#pragma once

#include "tools/run_session.h"

namespace upcast::tools {

inline constexpr std::string_view kRulebooksGrid = "rulebooks";

/// Runs what is left to run. Subject and oracle left at their defaults mean all. Throws UsageError.
RunOutcome run_rulebook_session(const RunOptions& options);

}  // namespace upcast::tools
