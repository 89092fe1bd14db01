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
  /// Which value stands in the place of which: "NaN for a finite value", "zero for a number". "" if
  /// both are numbers.
  std::string wrong_kind{};
  /// |wrong - right| / |right|; for complex numbers that of the worse part. Infinite if one of the
  /// two is no finite number, or if the right value is 0 and the wrong one is not.
  double relative = 0;
  int grade = 0;  // orders errors before their size does; see worse_than()

  bool worse_than(const ElementError& other) const;
  /// Whether one of the two is NaN or an infinity that the other one is not.
  bool is_of_other_kind() const;
  /// The error in words: "relative error 0.5", "NaN for a finite value".
  std::string text() const;
};

/// The elements that judge() does not accept, the worst first; equal ones keep their order. None if
/// the answers differ in more than values. `wrong`: the side whose answer is measured by the other
/// one.
std::vector<ElementError> element_errors(const Case& c, const Answer& subject, const Answer& oracle,
                                         Sides sides, Role wrong);

/// How much of the first case's error a simpler case must keep: its order of magnitude.
inline constexpr double kKeptPart = 0.1;

/// Whether an error has the same wrong kind and order of magnitude as the first one, or is worse.
bool is_of_the_order(const ElementError& found, const ElementError& first);

}  // namespace upcast::fuzz
