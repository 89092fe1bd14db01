#include "oracle/truth/coverage.h"

#include <algorithm>

#include "oracle/truth/complex_definition.h"
#include "oracle/truth/definition.h"
#include "oracle/truth/integer_definition.h"

namespace upcast::truth {
namespace {

/// The note of ops that have no truth in place and with out=. Their functional calls have a truth.
constexpr std::string_view kMadeApart =
    "an out= that shares memory with self is copied to at the end";

constexpr CompositionRow kCompositions[] = {
    {"real", true, "a view: the part itself"},
    {"imag", true, "a view: the part itself"},
    {"positive", true, "self itself"},
    {"conj_physical", true, "self itself if it is real"},
    {"prelu", true, "_prelu_kernel, once"},
    {"masked_fill", true, "its form with a Scalar, once"},
    {"l1_loss", true, "the difference is rounded once; its absolute value is exact"},
    {"equal", true, "eq, and whether it is true everywhere"},
    {"ldexp", false, "pow(2, other) is rounded, then the product"},
    {"isclose", false, "the difference, the tolerance and their bound are rounded one by one"},
    {"poisson_nll_loss", false, "an exp or log, products and sums are rounded one by one"},
    {"native_dropout_backward", false, "two products are rounded one by one"},
    {"mish_backward", false, "on the meta device only, which has no values"},
    {"nan_to_num", true, "a copy of the integers"},
    {"where", true, "the copy of a uint8 condition to bool, once"},
    {"log_sigmoid", false, kMadeApart},
    {"mvlgamma", false, kMadeApart},
    {"special_ndtr", false, kMadeApart},
    {"result_type", false, "a dtype, not a value"},
    {"promote_types", false, "a dtype, not a value"},
    {"can_cast", false, "an answer about dtypes, not values"},
};

}  // namespace

const CompositionRow* find_composition(std::string_view op) {
  const auto found = std::find_if(std::begin(kCompositions), std::end(kCompositions),
                                  [op](const CompositionRow& row) { return row.op == op; });
  return found == std::end(kCompositions) ? nullptr : found;
}

std::string_view source_of(std::string_view op, NumberKind kind) {
  if (kind == NumberKind::kWhole)
    if (const auto* row = find_integer_definition(op)) return row->source;
  if (kind == NumberKind::kReal)
    if (const auto* row = find_definition(op)) return row->source;
  if (kind == NumberKind::kComplex)
    if (const auto* row = find_complex_definition(op)) return row->source;
  return "";
}

int order_operand(std::string_view op) {
  const Definition* row = find_definition(op);
  return row == nullptr ? -1 : row->order;
}

std::vector<NumberKind> kinds_of(const Op& op) {
  std::vector<NumberKind> kinds;
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType dtype = dtype_from_code(i);
    if (!op.spec->dtypes.contains(dtype)) continue;
    if (std::find(kinds.begin(), kinds.end(), kind_of(dtype)) == kinds.end())
      kinds.push_back(kind_of(dtype));
  }
  return kinds;
}

}  // namespace upcast::truth
