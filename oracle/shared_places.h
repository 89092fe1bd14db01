// Finds the elements of a result that share memory. Their values depend on the order in which a
// loop runs.
#pragma once

#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

// Each function below returns a bool for every element of an answer, in logical order: whether the
// function marks it. It returns nothing if it marks none.

/// Marks the elements in whose place in memory another element is written too. Only the last one
/// stays there.
std::vector<bool> overwritten(const Case& c, const Answer& answer);

/// Marks the elements that overwritten() marks, if LibTorch computes the result with several
/// threads.
std::vector<bool> overwritten_by_threads(const Case& c, const Answer& answer);

/// Marks the elements that read an operand in a place where another element is written. A vector
/// loop, or one with a buffer, reads several elements before it writes. It then sees older values
/// than another loop.
std::vector<bool> read_where_written(const Case& c, const Answer& answer);

/// Marks the elements that read_where_written() marks, for any kind of loop: threads of a GPU keep
/// no order.
std::vector<bool> read_where_written_by_threads(const Case& c, const Answer& answer);

/// Marks overwritten elements of an op that reads what it writes. Each such element is computed
/// again from its own earlier result.
std::vector<bool> computed_repeatedly(const Case& c, const Answer& answer);

/// Marks the elements that computed_repeatedly() marks, for ops whose results may be off. Their
/// errors add up, so that no bound covers them.
std::vector<bool> computed_repeatedly_with_errors(const Case& c, const Answer& answer);

/// Adds to `elements` all elements that share a place in memory with one of them, because these
/// overwrite it or are computed from it.
void spread_over_places(const Case& c, const Answer& answer, std::vector<bool>& elements);

}  // namespace upcast
