// Makes a case simpler, step by step.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cases/case.h"

namespace upcast {

/// What a step simplifies. The boldest kind of step stands first.
enum class Simplification : std::uint8_t {
  kSettings,   // default dtype float32, no value class
  kArguments,  // fewer operands, attributes left to their defaults, the functional form
  kNumbers,    // commoner kinds of number, then more ordinary numbers (cases/ordinary.h)
  kElements,   // vectors of one length: keep one element, or half of them
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

/// Cases one step simpler than `c`, the boldest steps first. Every step is towards commoner and
/// more ordinary parts, so that a chain of steps ends. Cases for which `admits` is false are left
/// out. If an operand has more than `few` elements, they are not changed one by one.
std::vector<Case> simpler_cases(const Case& c, Simplification how,
                                bool (*admits)(const Case& c) = nullptr, std::int64_t few = 2);
/// Cases one step simpler than `c`, with steps of every kind.
std::vector<Case> simpler_cases(const Case& c, bool (*admits)(const Case& c) = nullptr,
                                std::int64_t few = 2);

/// The case with another dtype of one tensor or dtype argument, and of all that share its storage.
/// Elements are converted; a limit of the old dtype becomes the same limit of the new one.
Case with_dtype(Case c, int position, DType dtype);

/// The case with `count` elements of each of its vectors, from the element `first` on. Nothing if
/// its vectors differ in length, or one is not spelled out.
std::optional<Case> with_elements(const Case& c, std::int64_t first, std::int64_t count = 1);

}  // namespace upcast
