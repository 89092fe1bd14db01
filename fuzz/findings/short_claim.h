// The claim of a short program about values: about one element that differs.
#pragma once

#include <string>

#include "fuzz/findings/reproducer.h"
#include "impl/core/number.h"

namespace upcast::fuzz::internal {

struct ValueClaim {
  enum class Part : std::uint8_t {
    kWhole,
    kReal,
    kImaginary
  };  // which part of a complex element it is about
  enum class Test : std::uint8_t {
    kEqual,
    kNear,   // within `tolerance`
    kIsNan,  // which equals nothing
    kSign    // the value is a zero, which equals one of the other sign
  };

  std::size_t result = 0, element = 0;  // in logical order
  Part part = Part::kWhole;
  Test test = Test::kEqual;
  Number expected{};  // of the part
  double tolerance = 0;
  bool is_exact = false;  // the exact value, rounded once
};

/// The first element that differs, for a difference in values.
ValueClaim value_claim(const Reproducible& finding);

/// The origin of the expected value: "exactly rounded", or a sentence that begins with the kind of
/// origin.
std::string origin_of(const Reproducible& finding, bool is_exact);

/// The right answer in words: "float8_e5m2 [0.75, -5.0]", "the call raises".
std::string expected_words_of(const Reproducible& finding);

}  // namespace upcast::fuzz::internal
