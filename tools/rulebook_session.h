// `upcast run --grid rulebooks`: compares the rule books with the tables of the real libraries,
// cell by cell. It also keeps every system's answers to the questions on which systems are
// compared. It needs no worker, because a rule book is a function of dtypes.
#pragma once

#include "tools/run_session.h"

namespace upcast::tools {

inline constexpr std::string_view kRulebooksGrid = "rulebooks";

/// Runs the blocks of the grid rulebooks that the store lacks. If the subject or the oracle is the
/// default, all books or all libraries are compared. Throws UsageError.
RunOutcome run_rulebook_session(const RunOptions& options);

}  // namespace upcast::tools
