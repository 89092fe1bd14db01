// Models of wrong answers that are functions of one or two real operands, element by element.
#pragma once

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "oracle/case_call.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"

namespace upcast::models {

/// The wrong answer of a unary op: `f` applied to each value of its operand, computed in T.
template <class T, class F>
Answer mapped(const Case& c, const Answer& right, DType common, F f) {
  // The operand need not be argument 0, because attributes may precede it.
  const int at = c.schema().find(c.op->spec->operands[0]);
  const Bytes rounded = cast(dtype_of(c.arguments[at]), seen_values(c, at), common);
  constexpr DType kCompute = sizeof(T) == 4 ? DType::kFloat32 : DType::kFloat64;
  std::vector<T> values = elements<T>(common, rounded, kCompute);
  for (T& value : values) value = static_cast<T>(f(value));
  return with_values(right, common, cast(kCompute, bytes_of(values), common));
}

/// mapped() of a unary op's operand, computed in float64 for float64, and in float32 for float32
/// and the reduced dtypes.
template <class F>
std::optional<Answer> in_the_dtype(const Case& c, const Answer& right, F f) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  const DType common = promoted.value().common;
  return common == DType::kFloat64 ? mapped<double>(c, right, common, f)
                                   : mapped<float>(c, right, common, f);
}

/// The wrong answer of a binary op: `f` applied to each pair of values of its operands, broadcast,
/// computed in T.
template <class T, class F>
std::optional<Answer> mapped_pairs(const Case& c, const Answer& right, DType common, F f) {
  constexpr DType kCompute = sizeof(T) == 4 ? DType::kFloat32 : DType::kFloat64;
  std::vector<T> results = loop_values<T>(c, 0, right.sizes, common, kCompute);
  const std::vector<T> second = loop_values<T>(c, 1, right.sizes, common, kCompute);
  if (results.empty() || results.size() != second.size()) return std::nullopt;
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = static_cast<T>(f(results[i], second[i]));
  return with_values(right, common, cast(kCompute, bytes_of(results), common));
}

/// The wrong answer of a binary op, computed in float64 for float64, and in float32 for float32 and
/// the reduced dtypes.
template <class F>
std::optional<Answer> pairs_in_the_dtype(const Case& c, const Answer& right, F f) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || c.arguments.size() != 2) return std::nullopt;
  const DType common = promoted.value().common;
  return common == DType::kFloat64 ? mapped_pairs<double>(c, right, common, f)
                                   : mapped_pairs<float>(c, right, common, f);
}

/// The answer `right`, but with `answer`'s element wherever one of `ways` has that element too.
inline Answer nearest_of(const std::vector<std::optional<Answer>>& ways, const Answer& right,
                         const Answer& answer) {
  Answer nearest = right;
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  for (const std::optional<Answer>& way : ways)
    for (std::size_t at = 0; way && at < way->bytes.size(); at += size)
      if (std::memcmp(&way->bytes[at], &answer.bytes[at], size) == 0)
        std::memcpy(&nearest.bytes[at], &answer.bytes[at], size);
  return nearest;
}

/// The value that lies `steps` neighbours above `value`, or below it for negative steps. Models try
/// such values for functions that err by some ulp.
template <class T>
T moved(T value, int steps) {
  const T end = std::copysign(std::numeric_limits<T>::infinity(), static_cast<T>(steps));
  for (int i = 0; i < std::abs(steps); ++i) value = std::nextafter(value, end);
  return value;
}

/// The float that a value of the compute dtype is rounded to in a dtype.
inline double rounded(DType dtype, double value) {
  const Bytes narrow = cast(DType::kFloat64, bytes_of(std::vector{value}), dtype);
  return elements<double>(dtype, narrow, DType::kFloat64)[0];
}

}  // namespace upcast::models
