// Who is right where two answers differ.
#pragma once

#include <string>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/judge.h"
#include "oracle/ruling.h"

namespace upcast::truth {

enum class Off : std::uint8_t { kSubject, kOracle, kBoth, kUndecidable };

constexpr std::string_view name(Off off) {
  constexpr std::array<std::string_view, 4> kNames{"the subject is off", "the oracle is off",
                                                   "both are off", "undecidable"};
  return kNames[static_cast<int>(off)];
}

/// An infinite error: a NaN, an infinity or a zero of a sign that is out of place.
struct Arbitration {
  Off off = Off::kUndecidable;
  /// Of those that the judge does not let pass the first where the subject is off, or the first.
  std::size_t element = 0;
  std::size_t result = 0;  // 1: of the second result
  double subject_ulp = 0, oracle_ulp = 0;
  std::string truth{};          // the element's correctly rounded value
  std::string why{};            // of kUndecidable
  bool both_are_right = false;  // kUndecidable, since each is within its bound wherever they differ

  /// "truth of element 2 0x1.8p+1: the oracle is off (subject 0.4 ulp, oracle 3 ulp)"
  std::string text() const;
};

/// Of two answers whose values differ. A side is off where it is not the correctly rounded value
/// and errs by more than its own bound (OpSpec::accuracy), so that the truth never is.
Arbitration arbitrate(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

/// arbitrate() as an Arbiter.
Ruling rule(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);

}  // namespace upcast::truth
