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
/// bool). A number is one element of its own dtype. Other arguments have no elements, nor has an
/// argument that shares the storage of another.
///
/// The value classes:
/// kSmall     below 100 in magnitude, so that an integer dtype holds the whole part; of both signs
///            where the dtype has signs; fractions in floating dtypes, some of them inexact (1/3);
///            other ones for each argument, but equal at index 2. Argument 1 has no zero, but a
///            bool tensor may have False from its third element on.
/// kSpecial   special_elements(dtype), each once in a stretch of that length, in an order that
///            seed and argument decide; for bool as kRandom.
/// kRandom    uniform bits (0 or 1 for bool) from splitmix64 by seed and argument.
/// kConsecutive  the bit patterns in order: the first argument has n of them from seed * n on, the
///            others from 0 on, all modulo the size of the dtype. Those of 16 bytes: the first 8.
std::vector<std::byte> operand_values(const Case& c, int argument);

/// The distinct elements that kSpecial draws from. One-byte dtypes: every code. Floating: zeros,
/// subnormals, limits and their neighbours, numbers around the limits of the other dtypes,
/// infinities, NaN. Integral: the same without the floating ones. Complex: pairs of them.
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
