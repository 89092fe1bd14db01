// The ops sinh, cosh, tanh, their inverses, and sigmoid.
#pragma once

#include <cmath>

#include "impl/math/complex_exponential.h"
#include "impl/math/complex_inverse.h"
#include "impl/math/complex_trigonometric.h"
#include "impl/math/double_elementary.h"
#include "impl/math/double_functions.h"
#include "impl/math/float_exponential.h"
#include "impl/math/widened.h"
#include "impl/ops/make_op.h"
#include "impl/ops/mostly_complex.h"
#include "impl/ops/overloads.h"

namespace upcast {

struct Sinh : internal::MostlyComplex<branchless::sinh> {
  static constexpr OpSpec spec{
      .name = "sinh",
      .overloads = unary("sinh(Tensor self) -> Tensor", "sinh_", "sinh.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::sinh(x);
    else
      return elementary([](float v) { return branchless::sinh(v); },
                        [](double v) { return precise::sinh(v); }, x);
  }
};

struct Cosh : internal::MostlyComplex<branchless::cosh> {
  static constexpr OpSpec spec{
      .name = "cosh",
      .overloads = unary("cosh(Tensor self) -> Tensor", "cosh_", "cosh.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::cosh(x);
    else
      return elementary([](float v) { return branchless::cosh(v); },
                        [](double v) { return std::cosh(v); }, x);
  }
};

struct Tanh : internal::MostlyComplex<branchless::tanh> {
  static constexpr OpSpec spec{
      .name = "tanh",
      .overloads = unary("tanh(Tensor self) -> Tensor", "tanh_", "tanh.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::tanh(x);
    else
      return branchless::tanh(x);
  }
};

struct Sigmoid {
  static constexpr OpSpec spec{
      .name = "sigmoid",
      .overloads = unary("sigmoid(Tensor self) -> Tensor", "sigmoid_", "sigmoid.out",
                         "special_expit(Tensor self) -> Tensor", "", "special_expit.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::sigmoid(x);
    else
      return branchless::sigmoid(x);
  }
  struct FloatsOnLanes {
    using Lane = double;
    template <class Real>
    static auto begin(const Real& x) {
      return branchless::reduced_decay(x);
    }
    template <class Real>
    static Real end(const branchless::Reduced<Real>& x) {
      return branchless::sigmoid_of(x);
    }
    static constexpr LaneRange<float> range{-100, 100};
  };
};

struct Asinh {
  static constexpr OpSpec spec{
      .name = "asinh",
      .overloads = unary("asinh(Tensor self) -> Tensor", "asinh_", "asinh.out",
                         "arcsinh(Tensor self) -> Tensor", "arcsinh_", "arcsinh.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::asinh(x);
    else
      return once_rounded([](double v) { return std::asinh(v); },
                          [](double v) { return precise::asinh(v); }, x);
  }
};

struct Acosh {
  static constexpr OpSpec spec{
      .name = "acosh",
      .overloads = unary("acosh(Tensor self) -> Tensor", "acosh_", "acosh.out",
                         "arccosh(Tensor self) -> Tensor", "arccosh_", "arccosh.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::acosh(x);
    else
      return once_rounded([](double v) { return std::acosh(v); },
                          [](double v) { return precise::acosh(v); }, x);
  }
};

struct Atanh {
  static constexpr OpSpec spec{
      .name = "atanh",
      .overloads = unary("atanh(Tensor self) -> Tensor", "atanh_", "atanh.out",
                         "arctanh(Tensor self) -> Tensor", "arctanh_", "arctanh.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::atanh(x);
    else
      return once_rounded([](double v) { return std::atanh(v); },
                          [](double v) { return precise::atanh(v); }, x);
  }
};

using Hyperbolic = OpFamily<Sinh, Cosh, Tanh, Asinh, Acosh, Atanh, Sigmoid>;

}  // namespace upcast
