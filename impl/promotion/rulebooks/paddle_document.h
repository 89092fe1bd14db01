// The rule book of PaddlePaddle's document "Introduction to Data Type Promotion". It has the
// document's 12x12 table, its Tensor-Scalar table, and its Common, Divide and Logic rules.
// Misprints of the document are kept.
#pragma once

#include "impl/promotion/rulebooks/paddle_types.h"

namespace upcast::rulebooks {
namespace paddle_document {

/// The dtypes of the rows of the document's table, which are also those of its columns.
inline constexpr std::array<DType, 12> kAxis{
    DType::kBFloat16, DType::kFloat16, DType::kFloat32,   DType::kFloat64,
    DType::kBool,     DType::kUInt8,   DType::kInt8,      DType::kInt16,
    DType::kInt32,    DType::kInt64,   DType::kComplex64, DType::kComplex128};

// As printed; "--" where the document prints "-": not supported. (c64, f64) and (c64, i64) are
// misprints, and so is the diagonal of bool and the integers (docs/rulebooks.md, P1 to P3).
// clang-format off
constexpr auto tensor_tensor_table() {
  constexpr DType bf = DType::kBFloat16, f2 = DType::kFloat16, f4 = DType::kFloat32, f8 = DType::kFloat64;
  constexpr DType c4 = DType::kComplex64, c8 = DType::kComplex128, no = DType::kUndefined;
  return std::array<std::array<DType, 12>, 12>{{
      // The columns' dtypes:
      //        bf  f2  f4  f8  b1  u1  i1  i2  i4  i8  c4  c8
      /* bf */ {bf, f4, f4, f8, no, no, no, no, no, no, c4, c8},
      /* f2 */ {f4, f2, f4, f8, no, no, no, no, no, no, c4, c8},
      /* f4 */ {f4, f4, f4, f8, no, no, no, no, no, no, c4, c8},
      /* f8 */ {f8, f8, f8, f8, no, no, no, no, no, no, c8, c8},
      /* b1 */ {no, no, no, no, no, no, no, no, no, no, c4, c8},
      /* u1 */ {no, no, no, no, no, no, no, no, no, no, c4, c8},
      /* i1 */ {no, no, no, no, no, no, no, no, no, no, c4, c8},
      /* i2 */ {no, no, no, no, no, no, no, no, no, no, c4, c8},
      /* i4 */ {no, no, no, no, no, no, no, no, no, no, c4, c8},
      /* i8 */ {no, no, no, no, no, no, no, no, no, no, c4, c8},
      /* c4 */ {c4, c4, c4, c4, c4, c4, c4, c4, c4, c8, c4, c8},
      /* c8 */ {c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8},
  }};
}

/// The document's Tensor-Scalar table. Its columns stand for bool, int, float and complex numbers.
constexpr auto tensor_scalar_table() {
  constexpr DType bf = DType::kBFloat16, f2 = DType::kFloat16, f4 = DType::kFloat32, f8 = DType::kFloat64;
  constexpr DType c4 = DType::kComplex64, c8 = DType::kComplex128, b1 = DType::kBool, u1 = DType::kUInt8;
  constexpr DType i1 = DType::kInt8, i2 = DType::kInt16, i4 = DType::kInt32, i8 = DType::kInt64;
  return std::array<std::array<DType, 4>, 12>{{
      /* bf */ {bf, bf, bf, c4},
      /* f2 */ {f2, f2, f2, c4},
      /* f4 */ {f4, f4, f4, c4},
      /* f8 */ {f8, f8, f8, c8},
      /* b1 */ {b1, i8, f4, c4},
      /* u1 */ {u1, u1, f4, c4},
      /* i1 */ {i1, i1, f4, c4},
      /* i2 */ {i2, i2, f4, c4},
      /* i4 */ {i4, i4, f4, c4},
      /* i8 */ {i8, i8, f4, c4},
      /* c4 */ {c4, c4, c4, c4},
      /* c8 */ {c8, c8, c8, c8},
  }};
}
// clang-format on
inline constexpr auto kTensorTensor = tensor_tensor_table();
inline constexpr auto kTensorScalar = tensor_scalar_table();

enum class ApiRule : std::uint8_t { kNone, kCommon, kDivide, kLogic };

/// A row of the document's list of 32 APIs. The list has 31 names, because huber_loss stands there
/// twice; smooth_l1_loss is its public name.
struct Api {
  std::string_view names;
  ApiRule tensor_tensor, tensor_scalar;
};
inline constexpr std::array<Api, 5> kApis{{
    {"add sub mul floor_divide pow where remainder", ApiRule::kCommon, ApiRule::kCommon},
    {"div", ApiRule::kCommon, ApiRule::kDivide},
    {"eq ne lt le gt ge logical_and logical_or logical_xor", ApiRule::kLogic, ApiRule::kLogic},
    {"bitwise_and bitwise_or bitwise_xor", ApiRule::kNone, ApiRule::kCommon},
    {"fmax fmin logaddexp maximum minimum huber_loss smooth_l1_loss nextafter atan2 "
     "poisson_nll_loss l1_loss mse_loss",
     ApiRule::kCommon, ApiRule::kNone},
}};

constexpr std::size_t axis_index(DType dtype) {
  std::size_t index = 0;
  while (kAxis[index] != dtype) ++index;
  return index;
}

constexpr std::size_t number_column(DType number) {
  return is_bool(number) ? 0 : is_integral(number) ? 1 : is_floating(number) ? 2 : 3;
}

constexpr Reply apply(ApiRule rule, DType common, bool has_complex) {
  if (rule == ApiRule::kNone) return refuses("the list of APIs has '-' here");
  if (rule == ApiRule::kLogic && has_complex)
    return refuses("Logic Rule: complex is outside of type promotion");
  if (common == DType::kUndefined) return refuses("the table has '-' here");
  if (rule == ApiRule::kLogic) return gives(DType::kBool, "Logic Rule: the result is bool");
  if (rule == ApiRule::kDivide && !is_complex(common) && !is_floating(common))
    return gives(DType::kFloat32, "Divide Rule: nothing smaller than a float");
  return gives(common, "Common Rule: the table");
}

}  // namespace paddle_document

constexpr Reply answer_paddle_document(const Question& question) {
  using namespace paddle_document;
  if (question.operands.size() != 2) return outside("the document is about binary APIs");
  if (question.form == Form::kInPlace) return outside("the document is silent on in-place calls");
  const Api* api = nullptr;
  for (const Api& each : kApis)
    if (is_one_of(question.op, each.names)) api = &each;
  if (api == nullptr) return outside("not one of the document's 32 APIs");
  const Operand& a = question.operands[0];
  const Operand& b = question.operands[1];
  if (is_number(a) && is_number(b)) return outside("two Python numbers");
  const bool has_complex = is_complex(a.dtype) || is_complex(b.dtype);
  if (!is_number(a) && !is_number(b))
    return apply(api->tensor_tensor, kTensorTensor[axis_index(a.dtype)][axis_index(b.dtype)],
                 has_complex);
  const Operand& tensor = is_number(a) ? b : a;
  const DType number = is_number(a) ? a.dtype : b.dtype;
  return apply(api->tensor_scalar, kTensorScalar[axis_index(tensor.dtype)][number_column(number)],
               has_complex);
}

inline constexpr RuleBook kPaddleDocument{"paddle-document", "PaddlePaddle, its own document",
                                          "of version 2.6",  "Introduction to Data Type Promotion",
                                          paddle::kDTypes,   &answer_paddle_document};

}  // namespace upcast::rulebooks
