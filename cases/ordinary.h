// How ordinary a case is: whether its dtypes and numbers are those that a person would write in an
// example.
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
/// The index of a dtype in the order of elementwise dtypes, the most common first. Dtypes without
/// elementwise kernels come last.
int rarity(DType dtype);

/// The number nearest to `value` that has at most `digits` significant decimal digits.
double with_significant_digits(double value, int digits);

/// How far a number is from what a person would write. A smaller value is more ordinary.
struct Oddity {
  enum class Kind : std::uint8_t {
    kUsual,     // among 0.5, 1, 2, 3, 0.1, ...: `place` is the index in that list
    kShort,     // at most two digits, neither large nor small, such as 0.37 or 5000
    kModerate,  // at most four digits, neither large nor small, such as 0.498
    kRound,     // at most two digits, very large or small, such as 1e20 or 1e-45
    kSpecial,   // an infinity, NaN, -0, or the limit of an integral dtype
    kOther
  };
  Kind kind = Kind::kOther;
  int place = 0;       // kUsual: index in its list; other kinds: significant decimal digits
  double decades = 0;  // powers of ten between the number's magnitude and 1

  auto operator<=>(const Oddity&) const = default;
};

/// Whether a number is the real or the imaginary part of a complex element. An imaginary part is
/// most ordinary if it is 0.
enum class Part : std::uint8_t { kReal, kImaginary };

/// How odd an element of a real dtype is, or one part of a complex element (then `real` is the
/// part's dtype).
Oddity oddity(DType real, const std::byte* element, Part part = Part::kReal);
/// More ordinary elements of the dtype `real`, the most ordinary first. A number does not become a
/// special value, except that an integer may become a limit of its dtype.
std::vector<std::vector<std::byte>> more_ordinary(DType real, const std::byte* element,
                                                  Part part = Part::kReal);
/// More ordinary numbers of the same kind as `number`: int, float, bool or complex.
std::vector<Number> more_ordinary(const Number& number);
/// For each kind of number that is commoner than that of `number`, the most ordinary one. The order
/// of kinds is int, float, bool, complex.
std::vector<Number> of_commoner_kinds(const Number& number);

/// The limits of a real dtype that has arithmetic: lowest and highest.
std::vector<std::vector<std::byte>> limits_of(DType dtype);

}  // namespace upcast
