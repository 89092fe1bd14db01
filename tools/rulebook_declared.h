// Checks declarations about rule books and libraries against a run.
#pragma once

#include <string>
#include <vector>

#include "oracle/rulebook_cells.h"
#include "reports/rulebook_fold.h"
#include "reports/run_store.h"

namespace upcast::tools {

/// The declarations in the form of a run store.
std::vector<reports::KnownEntry> store_declared(const std::vector<DeclaredCells>& declared);

/// A line for each two answers that a declaration explains more or less often than it says. Only
/// pairs that ran count.
std::vector<std::string> miscounted_lines(const RulebookSelection& selection,
                                          const std::vector<DeclaredCells>& declared,
                                          const reports::RunStore& store);

/// A line for each pair whose book is silent in more or fewer cells than the pair says.
std::vector<std::string> silence_lines(const RulebookPairs& pairs,
                                       const reports::RulebookFold& fold);

/// A line for each reason to leave something out, with its tables and cells. `all`: also the tables
/// that no rule book claims.
std::vector<std::string> left_out_lines(const RulebookSelection& selection,
                                        const RulebookPairs& pairs, bool all);

}  // namespace upcast::tools
