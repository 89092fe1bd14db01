// Answers of rule books to the calls of a run, for the promotion map. The command that makes a
// report gives it, so that this folder needs no catalogue of ops.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/run_plan.h"

namespace upcast::reports {

/// A plane's byte is an AnswerByte: a dtype's code, kRefusalByte, or kNotRunByte where the book
/// says nothing. Added to a dtype's code: the result is weakly typed, as JAX has it.
inline constexpr uint8_t kWeakBit = 128;

struct BookTitle {
  std::string name{}, title{}, version{};  // of `rulebook:NAME`; whose rules
};

struct BookShelf {
  std::vector<BookTitle> books{};
  /// A plane for each book, in that order: a byte for each case of the row, the second axis
  /// fastest. No planes at all: the row's cases are no questions about a pair of operands.
  std::function<std::vector<std::string>(const GridRow&)> ask{};
};

}  // namespace upcast::reports
