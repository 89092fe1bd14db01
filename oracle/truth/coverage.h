// Which ops of the catalogue have a truth, and why the others have none.
#pragma once

#include <string_view>
#include <vector>

#include "impl/ops/catalogue.h"

namespace upcast::truth {

/// The kind of numbers that an op computes with. The truth has separate rows for each kind.
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

/// An op that is a composition: other ops, which run one by one. `once`: its truth is the whole
/// formula, rounded once. Otherwise the op has no truth, and `note` says why.
struct CompositionRow {
  std::string_view op;
  bool once;
  std::string_view note;
};
/// Finds the row of a composition; null if the op is none, or has no row.
const CompositionRow* find_composition(std::string_view op);

/// The source of an op's truth over a kind of numbers. "" if there is no row, which a test forbids.
std::string_view source_of(std::string_view op, NumberKind kind);

/// The number of an op's operand that is a degree or an order; -1 if no operand is.
int order_operand(std::string_view op);

/// The kinds of numbers over which an op's kernels compute it in one step.
std::vector<NumberKind> kinds_of(const Op& op);

}  // namespace upcast::truth
