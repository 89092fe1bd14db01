// Declarations about rule books and libraries, and whether a run confirms them.
#pragma once

#include <string>
#include <vector>

#include "oracle/rulebook_cells.h"
#include "reports/rulebook_fold.h"
#include "reports/run_store.h"

namespace upcast::tools {

/// The declarations as a run store spells them.
std::vector<reports::KnownEntry> store_declared(const std::vector<DeclaredCells>& declared);

/// A line for each two answers that a declaration explains more or less often than it says, of the
/// pairs that ran.
std::vector<std::string> miscounted_lines(const RulebookSelection& selection,
                                          const std::vector<DeclaredCells>& declared,
                                          const reports::RunStore& store);

/// A line for each pair whose book says nothing in more or fewer cells than the pair says.
std::vector<std::string> silence_lines(const RulebookPairs& pairs,
                                       const reports::RulebookFold& fold);

/// A line for what is left out, with its reason, tables and cells; `all`: also the tables that no
/// rule book claims.
std::vector<std::string> left_out_lines(const RulebookSelection& selection,
                                        const RulebookPairs& pairs, bool all);

}  // namespace upcast::tools
