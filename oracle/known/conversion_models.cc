// Models of LibTorch's conversions to formats narrower than float32, where they are wrong.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"
#include "oracle/number_rounding.h"

namespace upcast::models {
namespace {

constexpr DTypeSet kBeyondFloat32{DType::kInt32, DType::kInt64, DType::kUInt32, DType::kUInt64,
                                  DType::kFloat64};

/// The float8_e8m0fnu code that ATen gives a float32. ATen rounds by the bits after the exponent.
/// In a subnormal number these bits include the leading one.
std::uint8_t e8m0_code(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t exponent = bits >> 23 & 0xff;
  if (exponent == 0xff) return 0xff;
  const bool half = (bits & 0x400000) != 0, more = (bits & 0x3fffff) != 0;
  return static_cast<std::uint8_t>(exponent + (half && (exponent > 0 || more) ? 1 : 0));
}

/// The number after it is rounded to float32. An integer stays an integer, a complex number
/// complex.
Number through_float32(const Number& number) {
  const auto narrow = static_cast<double>(number_to<float>(number));
  if (number.dtype() == DType::kFloat64) return narrow;
  if (number.dtype() != DType::kInt64 || !(std::abs(narrow) < 0x1p63)) return number;
  return static_cast<std::int64_t>(narrow);
}

/// The answer if the result has more digits than float32 before it is converted to a narrower
/// format. ATen converts it to float32 first, and so rounds twice.
std::optional<Answer> rounded_through_float32(const Case& c, const Answer& right) {
  Case exact = c;
  exact.form = Form::kFunctional;
  exact.out = {};
  Answer answer = ours_of(exact);
  if (answer.tag != Answer::Tag::kTensor) return std::nullopt;
  // The model holds only for a result narrower than float32 that is our own wider answer, rounded
  // once.
  if (itemsize(to_real(right.dtype)) >= itemsize(DType::kFloat32) || answer.dtype == right.dtype ||
      cast(answer.dtype, answer.bytes, right.dtype) != right.bytes)
    return std::nullopt;
  Answer twice = right;
  twice.bytes = cast_through_float32(answer.dtype, answer.bytes, right.dtype);
  return twice;
}

/// The answer if operands go through float32, numbers too. ATen converts integers of 32 bits and
/// more, and float64, to float32 before a narrower common dtype. A call without a common dtype
/// converts to the dtype of its result.
std::optional<Answer> operands_through_float32(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  const DType common = promoted.ok() ? promoted.value().common : right.dtype;
  if (itemsize(to_real(common)) >= itemsize(DType::kFloat32)) return std::nullopt;
  Case rounded = c;
  bool changed = false;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    Operand& operand = rounded.arguments[i];
    if (operand.tag == Operand::Tag::kNumber) {
      const Number narrow = through_float32(operand.number);
      changed = changed || !(narrow == operand.number);
      operand.number = narrow;
    }
    if (operand.tag != Operand::Tag::kTensor || !kBeyondFloat32.contains(operand.dtype) ||
        operand.shares != kOwnStorage)
      continue;
    const Bytes values = seen_values(c, static_cast<int>(i));
    operand.values =
        cast(DType::kFloat32, cast(operand.dtype, values, DType::kFloat32), operand.dtype);
    changed = changed || operand.values != values;
  }
  if (!changed) return std::nullopt;
  Answer answer = ours_of(rounded);
  if (answer.bytes != right.bytes) return answer;
  // An operand that does not decide the dtype may also be rounded to it first
  // (numbers-are-rounded-first).
  const std::vector<NumberRounding> exact = number_roundings(c), twice = number_roundings(rounded);
  for (std::size_t i = 0; i < std::min(exact.size(), twice.size()); ++i) {
    answer = answer_of(twice[i]);
    if (answer.bytes != answer_of(exact[i]).bytes) return answer;
  }
  return std::nullopt;
}

/// The wrong answer of a call that converts through float32. First the operands are converted in
/// this way. If that leaves the answer right, the result is converted in this way instead.
std::optional<Answer> converted_through_float32(const Case& c, const Answer& right) {
  std::optional<Answer> answer = operands_through_float32(c, right);
  if (answer && (answer->tag != right.tag || answer->bytes != right.bytes)) return answer;
  return rounded_through_float32(c, right);
}

/// Conversion of float16 to float32: ATen drops the sign of a NaN in the last elements of a dense
/// operand, those that do not fill a vector of eight.
std::optional<Answer> float16_nan_without_sign_in_the_tail(const Case& c, const Answer&) {
  if (!common_among(c, {DType::kFloat32})) return std::nullopt;
  Case changed = c;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    Operand& operand = changed.arguments[i];
    if (operand.tag != Operand::Tag::kTensor || operand.dtype != DType::kFloat16 ||
        operand.shares != kOwnStorage)
      continue;
    auto codes = elements<std::uint16_t>(DType::kUInt16, seen_values(c, static_cast<int>(i)),
                                         DType::kUInt16);
    const std::vector<bool> tail = in_conversion_tail(operand);
    for (std::size_t k = 0; k < codes.size(); ++k)
      if (tail[k] && (codes[k] & 0x7fff) > 0x7c00) codes[k] &= 0x7fff;
    operand.values = bytes_of(codes);
  }
  return ours_of(changed);
}

/// Conversion to float8_e8m0fnu: all numbers between 2^-127 and 2^-126 become 2^-126.
std::optional<Answer> e8m0_by_the_bits_of_float32(const Case& c, const Answer& right) {
  if (right.dtype != DType::kFloat8E8M0FNU) return std::nullopt;
  std::vector<float> values;
  if (const int source = c.schema().find("src"); source >= 0) {
    values = loop_values<float>(c, source, right.sizes, DType::kFloat32, DType::kFloat32);
  } else {
    Case exact = c;
    exact.form = Form::kFunctional;
    exact.out = {};
    const Answer answer = ours_of(exact);
    if (answer.tag != Answer::Tag::kTensor || answer.dtype == right.dtype) return std::nullopt;
    values = elements<float>(answer.dtype, answer.bytes, DType::kFloat32);
  }
  if (values.size() != right.bytes.size()) return std::nullopt;
  Answer wrong = right;
  for (std::size_t i = 0; i < values.size(); ++i) wrong.bytes[i] = std::byte{e8m0_code(values[i])};
  return wrong;
}

}  // namespace

ModelRows conversion_models() {
  return {
      {"converted_through_float32", {kEveryOp}, converted_through_float32},
      {"e8m0_by_the_bits_of_float32", {kEveryOp}, e8m0_by_the_bits_of_float32},
      {"float16_nan_without_sign_in_the_tail", {"copysign"}, float16_nan_without_sign_in_the_tail},
  };
}

}  // namespace upcast::models
