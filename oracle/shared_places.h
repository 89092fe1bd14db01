// Finds elements of a result that share memory. What they hold depends on the order of a loop.
#pragma once

#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

// Each tells, for every element of an answer (logical order), whether it is one; empty: none is.

/// Marks elements to whose place in memory another element is written too: the last one stays.
std::vector<bool> overwritten(const Case& c, const Answer& answer);

/// As above, for results that LibTorch's threads share.
std::vector<bool> overwritten_by_threads(const Case& c, const Answer& answer);

/// Marks elements with an operand at the place where another element is written. A loop that reads
/// several elements before it writes them (a vector's, one with a buffer) sees older values than
/// another loop.
std::vector<bool> read_where_written(const Case& c, const Answer& answer);

/// As above, whatever loops the op consists of: threads of a GPU keep no order in any of them.
std::vector<bool> read_where_written_by_threads(const Case& c, const Answer& answer);

/// Marks overwritten elements of an op that reads what it writes: each is computed from one that
/// was computed before.
std::vector<bool> computed_repeatedly(const Case& c, const Answer& answer);

/// As above, for ops whose result may be off: no bound covers errors that add up.
std::vector<bool> computed_repeatedly_with_errors(const Case& c, const Answer& answer);

/// Adds the elements that share a place with one of `elements`: they overwrite it, or are computed
/// from it.
void spread_over_places(const Case& c, const Answer& answer, std::vector<bool>& elements);

}  // namespace upcast
