// The answers of rule books to the calls of a run, for the promotion map. The command that makes a
// report provides it, so that this folder needs no catalogue of ops.
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
  std::string name{}, title{}, version{};  // NAME of `rulebook:NAME`; whose rules; their version
};

struct BookShelf {
  std::vector<BookTitle> books{};
  /// Gives a plane for each book, in that order: a byte for each case of the row, the second axis
  /// fastest. Gives no planes if the row's cases are not questions about a pair of operands.
  std::function<std::vector<std::string>(const GridRow&)> ask{};
};

}  // namespace upcast::reports
