// Helpers of the models of wrong answers: elements of a case as values.
#pragma once

#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cases/case.h"
#include "impl/core/cast.h"
#include "impl/core/element.h"
#include "oracle/answer.h"
#include "oracle/case_call.h"
#include "oracle/impl_subject.h"

namespace upcast::models {

using Bytes = std::vector<std::byte>;

inline Bytes cast(DType from, const Bytes& bytes, DType to) {
  const std::int64_t n = static_cast<std::int64_t>(bytes.size()) / itemsize(from);
  Bytes result(n * itemsize(to));
  cast_elements(from, bytes.data(), to, result.data(), n);
  return result;
}

template <class T>
std::vector<T> elements(DType from, const Bytes& bytes, DType to) {
  const Bytes converted = cast(from, bytes, to);
  std::vector<T> result(converted.size() / sizeof(T));
  std::memcpy(result.data(), converted.data(), converted.size());
  return result;
}

template <class T>
Bytes bytes_of(const std::vector<T>& elements) {
  Bytes bytes(elements.size() * sizeof(T));
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

/// Our own answer to a case.
inline Answer ours_of(const Case& c) {
  ImplSubject ours;
  return answer_of(ours, c);
}

inline Answer refusal() {
  return {.tag = Answer::Tag::kRefusal, .rejection = RejectionCode::kUnsupportedDType};
}

inline bool is_reduced(DType dtype) { return kReducedFloats.contains(dtype); }

/// Casts elements as ATen does. From a dtype wider than 16 bits to a floating dtype narrower than
/// float32, ATen goes through float32.
inline Bytes cast_through_float32(DType from, const Bytes& bytes, DType to) {
  constexpr int kSize = itemsize(DType::kFloat32);
  if (!is_floating(to_real(to)) || itemsize(to_real(to)) >= kSize ||
      itemsize(to_real(from)) < kSize)
    return cast(from, bytes, to);
  const DType through = is_complex(from) ? DType::kComplex64 : DType::kFloat32;
  return cast(through, cast(from, bytes, through), to);
}

/// The right answer with other elements: `values`, which are of the common dtype, converted to the
/// result dtype.
inline Answer with_values(const Answer& right, DType common, const Bytes& values) {
  Answer wrong = right;
  wrong.bytes = cast_through_float32(common, values, right.dtype);
  return wrong;
}

/// The right answer with other elements: float32 values, rounded to the common dtype and then
/// converted to the result dtype.
inline Answer with_floats(const Answer& right, DType common, const std::vector<float>& values) {
  return with_values(right, common, cast(DType::kFloat32, bytes_of(values), common));
}

/// Rounds a float32 to a reduced dtype, and returns it as float, as kernels hold it. For other
/// dtypes it returns it unchanged.
inline float rounded_to(DType dtype, float value) {
  if (!is_reduced(dtype)) return value;
  if (dtype == DType::kBFloat16) return static_cast<float>(BFloat16(static_cast<double>(value)));
  return static_cast<float>(Half(static_cast<double>(value)));
}

/// Changes a case to a call of another op with the same arguments.
inline void set_callable(Case& c, std::string_view callable) {
  const FoundOp found = find_callable(callable);
  c.op = found.op;
  c.overload = found.overload;
  c.form = found.form;
}

/// The number that a call gives for a parameter. 1 if it gives none, or if there is no such
/// parameter.
inline const Number& number_of(const Case& c, std::string_view parameter) {
  static const Number one(1);
  const int position = c.schema().find(parameter);
  if (position < 0 || c.arguments[position].tag != Operand::Tag::kNumber) return one;
  return c.arguments[position].number;
}

/// The number -alpha of a subtraction, as c10::Scalar computes it. An integer is negated as int64:
/// 0 gets no sign, and a number above the range wraps. Floating numbers are negated as they are.
inline Number negated_as_scalar(const Number& alpha) {
  return alpha.visit([](auto value) -> Number {
    if constexpr (std::is_integral_v<decltype(value)>)
      return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
    else
      return Number(-value);
  });
}

/// erf by formula 7.1.26 of Abramowitz and Stegun, as LibTorch's vector code evaluates it in
/// float32. Its absolute error is 1.5e-7, so that a small result has no right digit.
inline float erf_of_five_terms(float x) {
  const float t = 1 / std::fma(0.3275911F, std::abs(x), 1.0F);
  float terms = 1.061405429F;
  for (const float coefficient : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F})
    terms = std::fma(terms, t, coefficient);
  const float magnitude = std::fma(-std::exp(-(x * x)) * t, terms, 1.0F);
  return std::signbit(x) ? -magnitude : magnitude;
}

/// The call's common dtype if it is one of `dtypes`; nothing otherwise.
inline std::optional<DType> common_among(const Case& c, DTypeSet dtypes) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !dtypes.contains(promoted.value().common)) return std::nullopt;
  return promoted.value().common;
}

}  // namespace upcast::models
