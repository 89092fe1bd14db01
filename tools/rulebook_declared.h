// Compares what is declared of rule books and libraries with what a run of the grid rulebooks
// found.
#pragma once

#include <string>
#include <vector>

#include "oracle/rulebook_cells.h"
#include "reports/rulebook_fold.h"
#include "reports/run_store.h"

namespace upcast::tools {

/// The declarations as rows of a run store's table of known differences.
std::vector<reports::KnownEntry> store_declared(const std::vector<DeclaredCells>& declared);

/// A line for each two answers that a declaration explains more often or less often than it says.
/// Counts only pairs of book and table that were run.
std::vector<std::string> miscounted_lines(const RulebookSelection& selection,
                                          const std::vector<DeclaredCells>& declared,
                                          const reports::RunStore& store);

/// A line for each pair of book and table in which the book is silent in more cells, or in fewer,
/// than the pair declares.
std::vector<std::string> silence_lines(const RulebookPairs& pairs,
                                       const reports::RulebookFold& fold);

/// A line for each reason why cells were not compared, with how many tables and cells it left out.
/// `all`: also for tables that no rule book claims.
std::vector<std::string> left_out_lines(const RulebookSelection& selection,
                                        const RulebookPairs& pairs, bool all);

}  // namespace upcast::tools
