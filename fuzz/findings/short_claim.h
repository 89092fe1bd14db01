// What a short program claims about values: one element is wrong, and how that is tested.
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
  };  // the part of a complex element that is tested
  enum class Test : std::uint8_t {
    kEqual,
    kNear,   // within `tolerance`
    kIsNan,  // a NaN is expected, which equals nothing
    kSign    // a zero is expected, which also equals the zero of the other sign
  };

  std::size_t result = 0, element = 0;  // index of the result, and of its element in logical order
  Part part = Part::kWhole;
  Test test = Test::kEqual;
  Number expected{};  // the right value of that part
  double tolerance = 0;
  bool is_exact = false;  // whether `expected` is the exact value, rounded once
};

/// The claim about the first element that differs. Precondition: the difference is one in values.
ValueClaim value_claim(const Reproducible& finding);

/// Says where the expected value comes from: "exactly rounded", or a sentence that begins with the
/// kind of origin.
std::string origin_of(const Reproducible& finding, bool is_exact);

/// The right answer of a finding in words: "float8_e5m2 [0.75, -5.0]", "the call raises".
std::string expected_words_of(const Reproducible& finding);

}  // namespace upcast::fuzz::internal
