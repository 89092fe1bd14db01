// Asks the rule books for the promotion map of a report.
#pragma once

#include "reports/book_shelf.h"

namespace upcast::tools {

/// All rule books, as functions that a report can ask. They are asked as by `upcast explain
/// --rulebook`: a functional call as an operator, and zero-dim tensors with their value in the
/// case, or 1 if the case has none.
reports::BookShelf book_shelf();

}  // namespace upcast::tools
