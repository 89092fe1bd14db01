// The answers of rule books to the calls of a run, for the promotion map. The command that makes a
// report asks the rule books, so that this folder needs no catalogue of ops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/run_plan.h"

namespace upcast::reports {

/// The bit that a weakly typed result adds to its dtype's code, as JAX has such results. A byte of
/// a plane is an AnswerByte: a dtype's code, kRefusalByte, or kNotRunByte if the book says nothing.
inline constexpr uint8_t kWeakBit = 128;

struct BookTitle {
  /// NAME of the subject `rulebook:NAME`, a title for people, and the version of the rules.
  std::string name{}, title{}, version{};
};

struct BookShelf {
  std::vector<BookTitle> books{};
  /// Answers a row of the grid: one plane for each book, in the order of the books. A plane has a
  /// byte for each case of the row, the second axis fastest. Gives no planes if the row's cases are
  /// not questions about a pair of operands.
  std::function<std::vector<std::string>(const GridRow&)> ask{};
};

}  // namespace upcast::reports
