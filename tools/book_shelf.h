// The rule books, asked for the promotion map of a report.
#pragma once

#include "reports/book_shelf.h"

namespace upcast::tools {

/// All books, asked as `upcast explain --rulebook` asks them: a functional call as an operator,
/// zero-dim tensors with the value of the case, else 1.
reports::BookShelf book_shelf();

}  // namespace upcast::tools
