// How ordinary a case is: which dtypes and numbers a person would write in an example.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "impl/core/dtype.h"
#include "impl/core/number.h"

namespace upcast {

/// The dtypes that have elementwise kernels, the most common first: float32, float64, bfloat16,
/// float16, int64, int32, bool, then the others.
const std::vector<DType>& from_the_most_common();
/// The place of a dtype in that order. A dtype without such kernels comes after all of them.
int rarity(DType dtype);

/// The nearest number with so many significant decimal digits.
double with_significant_digits(double value, int digits);

/// How far a number is from what a person would write. A smaller value is more ordinary.
struct Oddity {
  enum class Kind : std::uint8_t {
    kUsual,     // 0.5, 1, 2, 3, 0.1, ...: `place` counts in that list
    kShort,     // at most two digits, neither large nor small: 0.37, 5000
    kModerate,  // at most four, neither large nor small: 0.498
    kRound,     // at most two, large or small: 1e20, 1e-45
    kSpecial,   // an infinity, NaN, -0, the limit of an integer
    kOther
  };
  Kind kind = Kind::kOther;
  int place = 0;       // of other kinds: significant decimal digits
  double decades = 0;  // between its magnitude and 1

  auto operator<=>(const Oddity&) const = default;
};

/// Which part of a complex number it is. An imaginary part is most ordinary if it is 0.
enum class Part : std::uint8_t { kReal, kImaginary };

/// How odd an element of a real dtype is, or one part of a complex element.
Oddity oddity(DType real, const std::byte* element, Part part = Part::kReal);
/// More ordinary elements of that dtype, the most ordinary first. A number does not become a
/// special value, except that an integer may become a limit.
std::vector<std::vector<std::byte>> more_ordinary(DType real, const std::byte* element,
                                                  Part part = Part::kReal);
/// More ordinary numbers of the same kind: int, float, bool.
std::vector<Number> more_ordinary(const Number& number);
/// The most ordinary number of each commoner kind: of an int, a float, a bool, a complex number.
std::vector<Number> of_commoner_kinds(const Number& number);

/// The limits of a real dtype that has arithmetic: lowest and highest.
std::vector<std::vector<std::byte>> limits_of(DType dtype);

}  // namespace upcast
