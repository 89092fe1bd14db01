// Makes the elements of a case's operands. They have the same bits for every side, on every
// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases/case.h"
#include "cases/notation.h"

namespace upcast {

/// The elements of an argument in logical order: those that the case spells out, else those of its
/// value class. kOutPosition: what `out` holds before the call, 99 in every element (True for
/// bool). A number has one element, of its own dtype. Other arguments have no elements. Nor has an
/// argument that shares the storage of another.
///
/// The value classes:
/// kSmall     Below 100 in magnitude, so that an integral dtype holds the whole part. Both signs
///            occur if the dtype has signs. Floating dtypes have fractions, some of them inexact
///            (1/3). Each argument has other elements, but all are equal at index 2. Argument 1 has
///            no zero, but as a bool tensor it may have False from its third element on.
/// kSpecial   The elements of special_elements(dtype), each once in a stretch of that length. Seed
///            and argument decide their order. bool is as in kRandom.
/// kRandom    Uniform bits (0 or 1 for bool) from splitmix64, by seed and argument.
/// kConsecutive  The bit patterns in order, modulo the size of the dtype. The first argument, of n
///            elements, begins at seed * n, the others at 0. Of 16 bytes only the first 8 count up.
std::vector<std::byte> operand_values(const Case& c, int argument);

/// The distinct elements from which kSpecial takes its elements. A dtype of one byte: every code.
/// Floating: zeros, subnormals, limits and their neighbours, numbers around the limits of the other
/// dtypes, infinities, NaN. Integral: the same numbers, without those that only floating dtypes
/// have. Complex: pairs of the floating ones.
const std::vector<std::byte>& special_elements(DType dtype);

/// The random generator splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace upcast
