// A set of cases, written in case notation with sets and wildcards:
//
//   mul{,_}.Tensor({float16,bfloat16}[*], float64[]) @default=*
//
//   callable   `*` stands for any characters, `{a,b}` for one of the two texts
//   operands   *                 any operand
//              DTYPES[*] DTYPES[] DTYPES[?] DTYPES[2,3]
//                                a tensor with dimensions, a zero-dim one, either, one of a shape
//              DTYPES            an argument that is a dtype
//              number:KINDS      a number; KINDS: bool, int, float, complex, * or a {set}
//              int32[2]{-128,1}  exactly this tensor (with values or a layout)
//              5.5  "trunc"  None  undefined  absent, or a {set} of them
//                                exactly this argument
//              ...               at the end: any further operands
//              These patterns stand for the arguments that print_case writes by position. Any other
//              argument is free, unless it is named: rounding_mode="trunc", min=number:*,
//              out=float16[*], values={small,spelled} (spelled: a tensor spells its elements out).
//   DTYPES     a dtype, *, or a set {int8,floating,!float8} of dtypes and names of sets:
//              elementwise, floating (with float8), reduced (float16, bfloat16), float8,
//              integral, unsigned (uint16, uint32, uint64), complex. `!` takes away from the
//              dtypes before it
//   settings   @default=DTYPES @device=cpu|cuda|meta; free if not given
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "cases/case_pattern.h"

namespace upcast {

/// A set of cases: the union of its alternatives.
class Selector {
 public:
  /// Matches nothing.
  Selector() = default;
  /// A selector of one alternative. Throws UsageError with the column, also if no callable of the
  /// catalogue fits.
  explicit Selector(std::string_view text) { add(text); }
  void add(std::string_view text);

  bool matches(const Case& c) const;
  /// The callables that the selector names: views of the catalogue's names.
  std::set<std::string_view> callables() const;
  /// Names of the catalogue rows of which the selector names a callable.
  std::set<std::string_view> ops() const;
  /// Whether the selector may match a case of the row. It looks at each axis of the row alone, not
  /// at their product.
  bool matches_any(const GridRow& row) const;

 private:
  std::vector<CasePattern> alternatives_;
};

}  // namespace upcast
