// The ops logical_and, logical_or, logical_xor and logical_not.
#pragma once

#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

inline constexpr DTypeSet kLogical = kBools | kIntegers | kFloats | kFullComplex;

struct LogicalAnd {
  static constexpr OpSpec spec{.name = "logical_and",
                               .overloads = {{{"logical_and(Tensor self, Tensor other) -> Tensor",
                                               "logical_and_", "logical_and.out"}}},
                               .operands = kSelfOther,
                               .promotion = PromotionKind::kAlwaysBool,
                               .dtypes = kLogical,
                               .note = "NaN, and any nonzero part, is true",
                               .has_layouts_of_interest = true};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    // & instead of &&, which would branch and keep the loop from vectorising.
    return static_cast<bool>(convert<bool>(a) & convert<bool>(b));
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
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    return static_cast<bool>(convert<bool>(a) | convert<bool>(b));
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
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
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
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    return !convert<bool>(x);
  }
};

using Logical = OpFamily<LogicalAnd, LogicalOr, LogicalXor, LogicalNot>;

}  // namespace upcast
