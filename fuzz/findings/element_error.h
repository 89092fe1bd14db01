// Measures how wrong the values of an answer are. A simpler case must keep kind and size of the
// error.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "oracle/judge.h"

namespace upcast::fuzz {

/// The error of an element that differs from the right one.
struct ElementError {
  std::int64_t element = 0;  // the element's index in logical order
  int result = 0;            // 0: in the first result; 1: in the second
  /// Which kind of value stands in the place of which: "NaN for a finite value", "zero for a
  /// number". "" if both are numbers.
  std::string wrong_kind{};
  /// The relative error, |wrong - right| / |right|; of a complex number, that of the worse part.
  /// Infinite if one of the two values is not finite, or if the right value is 0 and the wrong one
  /// is not.
  double relative = 0;
  int grade = 0;  // a higher grade is a worse error, whatever the size; see worse_than()

  bool worse_than(const ElementError& other) const;
  /// Whether NaN or an infinity stands in the place of another kind of value, in either direction.
  bool is_of_other_kind() const;
  /// The error in words: "relative error 0.5", "NaN for a finite value".
  std::string text() const;
};

/// The errors of the elements that judge() does not accept. The worst comes first; equal ones keep
/// their order. None if the answers differ in more than values. `wrong`: the side whose answer is
/// measured against the other one.
std::vector<ElementError> element_errors(const Case& c, const Answer& subject, const Answer& oracle,
                                         Sides sides, Role wrong);

/// How much of the first case's error a simpler case must keep: its order of magnitude.
inline constexpr double kKeptPart = 0.1;

/// Whether the error `found` has the wrong kind and order of magnitude of the error `first`, or is
/// worse.
bool is_of_the_order(const ElementError& found, const ElementError& first);

}  // namespace upcast::fuzz
