// The ops eq, ne, lt, le, gt and ge.
#pragma once

#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

inline constexpr DTypeSet kEquatable = kElementwise;
inline constexpr DTypeSet kOrdered = kBools | kIntegers | kFloats;

namespace internal {

/// The overloads of a comparison, under its name and its alias.
constexpr Overloads comparison(const Overload& tensor, const Overload& scalar,
                               const Overload& alias_tensor, const Overload& alias_scalar) {
  return {{tensor, scalar, alias_tensor, alias_scalar}};
}

}  // namespace internal

struct Eq {
  static constexpr OpSpec spec{.name = "eq",
                               .overloads = {{{"eq.Tensor(Tensor self, Tensor other) -> Tensor",
                                               "eq_.Tensor", "eq.Tensor_out"},
                                              {"eq.Scalar(Tensor self, Scalar other) -> Tensor",
                                               "eq_.Scalar", "eq.Scalar_out"}}},
                               .operands = kSelfOther,
                               .promotion = PromotionKind::kAlwaysBool,
                               .dtypes = kEquatable,
                               .has_layouts_of_interest = true};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    return a == b;
  }
};

struct Ne {
  static constexpr OpSpec spec{
      .name = "ne",
      .overloads = internal::comparison(
          {"ne.Tensor(Tensor self, Tensor other) -> Tensor", "ne_.Tensor", "ne.Tensor_out"},
          {"ne.Scalar(Tensor self, Scalar other) -> Tensor", "ne_.Scalar", "ne.Scalar_out"},
          {"not_equal.Tensor(Tensor self, Tensor other) -> Tensor", "not_equal_.Tensor",
           "not_equal.Tensor_out"},
          {"not_equal.Scalar(Tensor self, Scalar other) -> Tensor", "not_equal_.Scalar",
           "not_equal.Scalar_out"}),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kEquatable};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    return !(a == b);
  }
};

struct Lt {
  static constexpr OpSpec spec{
      .name = "lt",
      .overloads = internal::comparison(
          {"lt.Tensor(Tensor self, Tensor other) -> Tensor", "lt_.Tensor", "lt.Tensor_out"},
          {"lt.Scalar(Tensor self, Scalar other) -> Tensor", "lt_.Scalar", "lt.Scalar_out"},
          {"less.Tensor(Tensor self, Tensor other) -> Tensor", "less_.Tensor", "less.Tensor_out"},
          {"less.Scalar(Tensor self, Scalar other) -> Tensor", "less_.Scalar", "less.Scalar_out"}),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    return a < b;
  }
};

struct Le {
  static constexpr OpSpec spec{
      .name = "le",
      .overloads = internal::comparison(
          {"le.Tensor(Tensor self, Tensor other) -> Tensor", "le_.Tensor", "le.Tensor_out"},
          {"le.Scalar(Tensor self, Scalar other) -> Tensor", "le_.Scalar", "le.Scalar_out"},
          {"less_equal.Tensor(Tensor self, Tensor other) -> Tensor", "less_equal_.Tensor",
           "less_equal.Tensor_out"},
          {"less_equal.Scalar(Tensor self, Scalar other) -> Tensor", "less_equal_.Scalar",
           "less_equal.Scalar_out"}),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    return a <= b;
  }
};

struct Gt {
  static constexpr OpSpec spec{
      .name = "gt",
      .overloads = internal::comparison(
          {"gt.Tensor(Tensor self, Tensor other) -> Tensor", "gt_.Tensor", "gt.Tensor_out"},
          {"gt.Scalar(Tensor self, Scalar other) -> Tensor", "gt_.Scalar", "gt.Scalar_out"},
          {"greater.Tensor(Tensor self, Tensor other) -> Tensor", "greater_.Tensor",
           "greater.Tensor_out"},
          {"greater.Scalar(Tensor self, Scalar other) -> Tensor", "greater_.Scalar",
           "greater.Scalar_out"}),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    return a > b;
  }
};

struct Ge {
  static constexpr OpSpec spec{
      .name = "ge",
      .overloads = internal::comparison(
          {"ge.Tensor(Tensor self, Tensor other) -> Tensor", "ge_.Tensor", "ge.Tensor_out"},
          {"ge.Scalar(Tensor self, Scalar other) -> Tensor", "ge_.Scalar", "ge.Scalar_out"},
          {"greater_equal.Tensor(Tensor self, Tensor other) -> Tensor", "greater_equal_.Tensor",
           "greater_equal.Tensor_out"},
          {"greater_equal.Scalar(Tensor self, Scalar other) -> Tensor", "greater_equal_.Scalar",
           "greater_equal.Scalar_out"}),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T a, T b) const {
    return a >= b;
  }
};

using Comparison = OpFamily<Eq, Ne, Lt, Le, Gt, Ge>;

}  // namespace upcast
