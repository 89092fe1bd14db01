// Helpers of the files about values: generators of calls of a few ops, and checks of their answers.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "impl/core/error.h"
#include "oracle/error_bounds.h"
#include "oracle/side.h"
#include "properties/call_generators.h"
#include "properties/checks.h"
#include "properties/elements.h"
#include "properties/spoilers.h"

namespace upcast::properties {

// The empty set: each op is asked with all dtypes of asked_dtypes().
inline constexpr DTypeSet kAsked{};
inline constexpr DTypeSet kReals = kIntegers | kFloats;
inline constexpr DTypeSet kRealsAndComplex = kReals | kFullComplex;
inline constexpr DTypeSet kLogical = kIntegers | kBools;

/// Draws a call of one of these ops with a dtype of this set for which it has a kernel. All
/// operands have that dtype.
template <const auto& kCallables, const DTypeSet& kSet = kAsked>
Case draw_call_of(Draw& draw) {
  return draw_call(draw, draw.from(kCallables), {.dtypes = kSet});
}
template <const auto& kCallables, const DTypeSet& kSet = kAsked>
Generator calls_of(std::string_view name, bool (*admits)(const Case&),
                   std::vector<Demand> demands) {
  return {name, &draw_call_of<kCallables, kSet>, admits, std::move(demands)};
}

// Whether shrinking may try a case: all operands are still tensors.
inline bool keeps_tensors(const Case& c) {
  for (const Operand& operand : c.arguments)
    if (operand.tag != Operand::Tag::kTensor && operand.tag != Operand::Tag::kAbsent) return false;
  return true;
}
inline bool keeps_one_dtype(const Case& c) {
  for (const Operand& operand : c.arguments)
    if (operand.dtype != c.arguments[0].dtype && operand.tag == Operand::Tag::kTensor) return false;
  return keeps_tensors(c);
}
inline bool keeps_number(const Case& c) {
  return keeps_one_dtype(c) && !is_bool(c.arguments[0].dtype);
}
inline bool keeps_float(const Case& c) {
  return keeps_one_dtype(c) && kFloats.contains(c.arguments[0].dtype);
}
inline bool keeps_integer(const Case& c) {
  return keeps_one_dtype(c) && kIntegers.contains(c.arguments[0].dtype);
}
inline bool keeps_complex(const Case& c) {
  return keeps_one_dtype(c) && kFullComplex.contains(c.arguments[0].dtype);
}

/// A generator of calls in floating dtypes. `further`: what its examples must cover, in addition to
/// dtypes and values.
template <const auto& kCallables>
Generator float_calls_of(std::string_view name, const std::vector<Demand>& further = {}) {
  std::vector<Demand> demands{{"dtype", 4, 15}, {"value", 8, 5}};
  demands.insert(demands.end(), further.begin(), further.end());
  return calls_of<kCallables, kFloats>(name, &keeps_float, std::move(demands));
}

inline const Operand& x_of(const Case& c) { return c.arguments[0]; }
inline const Operand& y_of(const Case& c) { return c.arguments[1]; }

/// Calls of one or two operands that are the results of earlier calls.
inline Answer unary(const System& system, std::string_view callable, const Answer& x,
                    const Case& c) {
  return ask(system, callable, {operand_of(x)}, c);
}
inline Answer binary(const System& system, std::string_view callable, const Answer& x,
                     const Answer& y, const Case& c) {
  return ask(system, callable, {operand_of(x), operand_of(y)}, c);
}
/// The elements of an operand as an Answer. `answer` must already have the operand's dtype.
inline Answer itself(const Operand& operand, Answer answer) {
  answer.bytes = operand.values;
  return answer;
}

/// The error bound of an op for the side that a system names, in ulp of the dtype.
inline double bound_of(std::string_view callable, DType dtype, const System& system) {
  // Every system except LibTorch has our bounds, a control too.
  const Side named = parse_side(system.name);
  const Implementation side = named.is_libtorch() ? named.bounds : Implementation::kOurs;
  return std::max(kCorrectRounding,
                  error_bound(find_callable(callable).op->spec->accuracy, dtype, side));
}

template <const auto& kCallables>
bool is_call_of(const Case& c) {
  return std::any_of(kCallables.begin(), kCallables.end(), [&c](std::string_view callable) {
    check(find_callable(callable).op != nullptr, "a law names a callable that does not exist");
    return c.callable() == callable;
  });
}

/// A control that spoils the answers of these ops only. If a property compares such an op with
/// others, the others stay right.
template <const auto& kCallables>
void nudge_op(const Case& c, Answer& answer) {
  if (is_call_of<kCallables>(c)) nudge(c, answer);
}

}  // namespace upcast::properties
