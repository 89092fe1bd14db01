// Which ops of the catalogue have a truth, and why the others have none.
#pragma once

#include <string_view>
#include <vector>

#include "impl/ops/catalogue.h"

namespace upcast::truth {

/// The kind of numbers of a common dtype. Each has rows of its own.
enum class NumberKind : std::uint8_t { kWhole, kReal, kComplex };

constexpr std::string_view name(NumberKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"integers", "real numbers", "complex numbers"};
  return kNames[static_cast<int>(kind)];
}

constexpr NumberKind kind_of(DType dtype) {
  return is_complex(dtype)    ? NumberKind::kComplex
         : is_floating(dtype) ? NumberKind::kReal
                              : NumberKind::kWhole;
}

/// An op that is a composition of others, which run one by one. `once`: the whole is rounded once
/// all the same, and is the truth. Else `note` says why it has none.
struct CompositionRow {
  std::string_view op;
  bool once;
  std::string_view note;
};
/// Finds the row of a composition; null if the op is no composition, or has no row.
const CompositionRow* find_composition(std::string_view op);

/// The source of an op's truth over a kind of numbers. "" if it has no row, which a test forbids.
std::string_view source_of(std::string_view op, NumberKind kind);

/// The operand of an op that is a degree or an order; -1 if it has none.
int order_operand(std::string_view op);

/// The kinds of numbers over which an op is computed in one step, by its kernels.
std::vector<NumberKind> kinds_of(const Op& op);

}  // namespace upcast::truth
