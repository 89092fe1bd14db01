// The two sides that each fuzz target compares if nothing else is set.
#pragma once

#include <array>
#include <string_view>

namespace upcast::fuzz {

struct TargetSides {
  std::string_view target, subject, oracle;
};

/// The default sides by target. Targets that are not in the list do not ask two sides about cases.
inline constexpr std::array<TargetSides, 4> kTargetSides{{
    {"elementwise", "impl:cpu", "libtorch:cpu"},
    {"chain", "impl:cpu", "libtorch:cpu"},
    {"iterator", "impl:meta", "libtorch:meta"},
    {"kernel", "impl:emulated", "impl:cpu"},
}};

constexpr const TargetSides* sides_of_target(std::string_view target) {
  for (const TargetSides& row : kTargetSides)
    if (row.target == target) return &row;
  return nullptr;
}

}  // namespace upcast::fuzz
