// How wrong the values of an answer are. A simpler case must keep kind and size of the error.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "oracle/judge.h"

namespace upcast::fuzz {

/// An element that differs.
struct ElementError {
  std::int64_t element = 0;  // in logical order
  int result = 0;            // 1: of the second result
  /// Which value is in the place of which: "NaN for a finite value", "zero for a number". "" where
  /// both are numbers.
  std::string wrong_kind{};
  /// |wrong - right| / |right|, of complex numbers that of the worse part. Infinite where one of
  /// them is no finite number, and where the right value is 0 and the wrong one is not.
  double relative = 0;
  int grade = 0;  // which errors are worse whatever their size; see worse_than()

  bool worse_than(const ElementError& other) const;
  /// Whether one of the two is NaN or an infinity that the other one is not.
  bool is_of_other_kind() const;
  /// "relative error 0.5", "NaN for a finite value".
  std::string text() const;
};

/// The elements that judge() does not let pass, the worst first; of equal ones in their order.
/// None where the answers differ in more than values. `wrong`: whose answer is measured by the
/// other one.
std::vector<ElementError> element_errors(const Case& c, const Answer& subject, const Answer& oracle,
                                         Sides sides, Role wrong);

/// A simpler case keeps at least this part of the first case's error: its order of magnitude.
inline constexpr double kKeptPart = 0.1;

/// Whether an error is of the same wrong kind and order of magnitude as the first one, or worse.
bool is_of_the_order(const ElementError& found, const ElementError& first);

}  // namespace upcast::fuzz
