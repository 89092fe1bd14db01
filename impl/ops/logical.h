// logical_and, logical_or, logical_xor, logical_not, and their bitwise kin.
#pragma once

#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

inline constexpr DTypeSet kLogical = kBools | kIntegers | kFloats | kFullComplex;
inline constexpr DTypeSet kBitwise = kBools | kIntegers | kUnsigned;

struct LogicalAnd {
  static constexpr OpSpec spec{.name = "logical_and",
                               .overloads = {{{"logical_and(Tensor self, Tensor other) -> Tensor",
                                               "logical_and_", "logical_and.out"}}},
                               .operands = kSelfOther,
                               .promotion = PromotionKind::kAlwaysBool,
                               .dtypes = kLogical,
                               .note = "NaN, and any nonzero part, is true"};
  template <class T>
  bool operator()(T a, T b) const {
    return convert<bool>(a) && convert<bool>(b);
  }
};

struct LogicalOr {
  static constexpr OpSpec spec{.name = "logical_or",
                               .overloads = {{{"logical_or(Tensor self, Tensor other) -> Tensor",
                                               "logical_or_", "logical_or.out"}}},
                               .operands = kSelfOther,
                               .promotion = PromotionKind::kAlwaysBool,
                               .dtypes = kLogical};
  template <class T>
  bool operator()(T a, T b) const {
    return convert<bool>(a) || convert<bool>(b);
  }
};

struct LogicalXor {
  static constexpr OpSpec spec{.name = "logical_xor",
                               .overloads = {{{"logical_xor(Tensor self, Tensor other) -> Tensor",
                                               "logical_xor_", "logical_xor.out"}}},
                               .operands = kSelfOther,
                               .promotion = PromotionKind::kAlwaysBool,
                               .dtypes = kLogical};
  template <class T>
  bool operator()(T a, T b) const {
    return convert<bool>(a) != convert<bool>(b);
  }
};

struct LogicalNot {
  static constexpr OpSpec spec{
      .name = "logical_not",
      .overloads = unary("logical_not(Tensor self) -> Tensor", "logical_not_", "logical_not.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kLogical,
      .note = "writes any out dtype that it also reads"};

  static std::optional<Rejection> check_types(const Call&, Promoted promoted) {
    if (!kLogical.contains(promoted.result))
      return Rejection{RejectionCode::kUnsupportedDType, "no kernel for this out dtype"};
    return std::nullopt;
  }
  template <class T>
  bool operator()(T x) const {
    return !convert<bool>(x);
  }
};

namespace internal {

constexpr Overloads bitwise(std::string_view tensor, std::string_view tensor_,
                            std::string_view tensor_out, std::string_view scalar,
                            std::string_view scalar_, std::string_view scalar_out,
                            std::string_view scalar_tensor, std::string_view scalar_tensor_out) {
  return {{{tensor, tensor_, tensor_out},
           {scalar, scalar_, scalar_out},
           {scalar_tensor, "", scalar_tensor_out, true}}};
}

}  // namespace internal

struct BitwiseAnd {
  static constexpr OpSpec spec{
      .name = "bitwise_and",
      .overloads = internal::bitwise(
          "bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", "bitwise_and_.Tensor",
          "bitwise_and.Tensor_out", "bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor",
          "bitwise_and_.Scalar", "bitwise_and.Scalar_out",
          "bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
          "bitwise_and.Scalar_Tensor_out"),
      .operands = kSelfOther,
      .dtypes = kBitwise};
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOr {
  static constexpr OpSpec spec{
      .name = "bitwise_or",
      .overloads = internal::bitwise(
          "bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", "bitwise_or_.Tensor",
          "bitwise_or.Tensor_out", "bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor",
          "bitwise_or_.Scalar", "bitwise_or.Scalar_out",
          "bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
          "bitwise_or.Scalar_Tensor_out"),
      .operands = kSelfOther,
      .dtypes = kBitwise};
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXor {
  static constexpr OpSpec spec{
      .name = "bitwise_xor",
      .overloads = internal::bitwise(
          "bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", "bitwise_xor_.Tensor",
          "bitwise_xor.Tensor_out", "bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor",
          "bitwise_xor_.Scalar", "bitwise_xor.Scalar_out",
          "bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
          "bitwise_xor.Scalar_Tensor_out"),
      .operands = kSelfOther,
      .dtypes = kBitwise};
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

struct BitwiseNot {
  static constexpr OpSpec spec{
      .name = "bitwise_not",
      .overloads = unary("bitwise_not(Tensor self) -> Tensor", "bitwise_not_", "bitwise_not.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kBools | kIntegers};
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_same_v<T, bool>)
      return !x;
    else
      return static_cast<T>(~x);
  }
};

using Logical = OpFamily<LogicalAnd, LogicalOr, LogicalXor, LogicalNot, BitwiseAnd, BitwiseOr,
                         BitwiseXor, BitwiseNot>;

}  // namespace upcast
