// Steps that make a case simpler.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cases/case.h"

namespace upcast {

/// What a step simplifies, the boldest first.
enum class Simplification : std::uint8_t {
  kSettings,   // the default dtype float32, no value class
  kArguments,  // fewer operands, attributes left to their defaults, the functional form
  kNumbers,    // commoner kinds of number, then more ordinary numbers (cases/ordinary.h)
  kElements,   // one element of vectors of one length, or half of them
  kShapes,     // fewer dimensions, fewer elements
  kDTypes,     // commoner dtypes
  kLayouts,    // contiguous
  kValues      // more ordinary values
};
inline constexpr std::array<std::string_view, 8> kSimplificationNames{
    "fewer settings", "fewer arguments", "another number", "part of vectors",
    "fewer elements", "another dtype",   "another layout", "another value"};
constexpr std::string_view name(Simplification how) {
  return kSimplificationNames[static_cast<std::size_t>(how)];
}

/// Cases one step simpler than `c`, the boldest steps first. Each step leads to a case that is
/// simpler in that order, so that a chain of steps ends. Cases for which `admits` is false are left
/// out. If an operand has more than `few` elements, they are not changed one by one.
std::vector<Case> simpler_cases(const Case& c, Simplification how,
                                bool (*admits)(const Case& c) = nullptr, std::int64_t few = 2);
/// As above, with steps of every kind.
std::vector<Case> simpler_cases(const Case& c, bool (*admits)(const Case& c) = nullptr,
                                std::int64_t few = 2);

/// `c` with another dtype of a tensor or dtype argument and of what shares its storage; elements
/// are converted, and a limit of the one dtype is that of the other.
Case with_dtype(Case c, int position, DType dtype);

/// `c` with `count` elements of each of its vectors, from the element `first` on. Nothing unless
/// these vectors have one length and are spelled out.
std::optional<Case> with_elements(const Case& c, std::int64_t first, std::int64_t count = 1);

}  // namespace upcast
