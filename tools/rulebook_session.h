// `upcast run --grid rulebooks`: compares the rule books with the tables of the real libraries,
// cell by cell. It also keeps every system's answers to the questions on which systems are
// compared. It needs no worker, because a rule book is a function of dtypes.
#pragma once

#include "tools/run_session.h"

namespace upcast::tools {

inline constexpr std::string_view kRulebooksGrid = "rulebooks";

/// Runs what was not run yet. A subject or oracle left at its default means all. Throws UsageError.
RunOutcome run_rulebook_session(const RunOptions& options);

}  // namespace upcast::tools
