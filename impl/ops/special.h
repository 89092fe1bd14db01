// erf, erfc, erfinv, lgamma, digamma.
#pragma once

#include <cmath>
#include <concepts>

#include "impl/math/digamma.h"
#include "impl/math/erfinv.h"
#include "impl/math/float_special.h"
#include "impl/math/lgamma.h"
#include "impl/math/widened.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

struct Erf {
  static constexpr OpSpec spec{
      .name = "erf",
      .overloads = unary("erf(Tensor self) -> Tensor", "erf_", "erf.out",
                         "special_erf(Tensor self) -> Tensor", "", "special_erf.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return elementary([](float v) { return branchless::erf(v); },
                      [](auto v) { return std::erf(v); }, x);
  }
};

struct Erfc {
  static constexpr OpSpec spec{
      .name = "erfc",
      .overloads = unary("erfc(Tensor self) -> Tensor", "erfc_", "erfc.out",
                         "special_erfc(Tensor self) -> Tensor", "", "special_erfc.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return elementary([](float v) { return branchless::erfc(v); },
                      [](auto v) { return std::erfc(v); }, x);
  }
};

struct Erfinv {
  static constexpr OpSpec spec{
      .name = "erfinv",
      .overloads = unary("erfinv(Tensor self) -> Tensor", "erfinv_", "erfinv.out",
                         "special_erfinv(Tensor self) -> Tensor", "", "special_erfinv.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return widened([](auto v) { return upcast::erfinv(v); }, x);
  }
};

struct Lgamma {
  static constexpr OpSpec spec{
      .name = "lgamma",
      .overloads = unary("lgamma(Tensor self) -> Tensor", "lgamma_", "lgamma.out",
                         "special_gammaln(Tensor self) -> Tensor", "", "special_gammaln.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return elementary([](float v) { return branchless::lgamma(v); },
                      [](auto v) { return upcast::lgamma(v); }, x);
  }
  /// The functor without its branches, and where that is the same (see trigonometric.h).
  template <std::same_as<float> T>
  static T mostly(T x) {
    return branchless::lgamma_mostly(x);
  }
  template <std::same_as<float> T>
  static bool is_right(T x, T found) {
    return branchless::lgamma_is_right(x, found);
  }
};

struct Digamma {
  static constexpr OpSpec spec{
      .name = "digamma",
      .overloads = {{{"digamma(Tensor self) -> Tensor", "digamma_", "digamma.out"},
                     {"special_digamma(Tensor self) -> Tensor", "", "special_digamma.out"},
                     {"special_psi(Tensor self) -> Tensor", "", "special_psi.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 4.F}, {1.F, 2.F}, {0.51F, 0.51F}}};
  template <class T>
  T operator()(T x) const {
    return widened([](auto v) { return upcast::digamma(v); }, x);
  }
};

using Special = OpFamily<Erf, Erfc, Erfinv, Lgamma, Digamma>;

}  // namespace upcast
