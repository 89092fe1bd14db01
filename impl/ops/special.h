// The ops erf and its relatives, those of the normal distribution, and the entropy term.
#pragma once

#include <cmath>

#include "impl/math/double_elementary.h"
#include "impl/math/double_functions.h"
#include "impl/math/erfcx.h"
#include "impl/math/erfinv.h"
#include "impl/math/float_special.h"
#include "impl/math/normal_distribution.h"
#include "impl/math/widened.h"
#include "impl/ops/made_apart.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

struct Erf {
  static constexpr OpSpec spec{
      .name = "erf",
      .overloads = {{{"erf(Tensor self) -> Tensor", "erf_", "erf.out"},
                     {"special_erf(Tensor self) -> Tensor", "", "special_erf.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kElementary,
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::erf(v); },
                      [](double v) { return branchless::erf(v); }, x);
  }
  struct DoublesOnLanes {
    using Lane = double;
    template <class Real>
    static auto begin(const Real& x) {
      return branchless::erf_start(x);
    }
    template <class Real>
    static Real end(const branchless::ErfStart<Real>& start) {
      return branchless::erf_from(start);
    }
    static constexpr LaneRange<double> range{-std::numeric_limits<double>::infinity(),
                                             std::numeric_limits<double>::infinity()};
  };
};

struct Erfc {
  static constexpr OpSpec spec{
      .name = "erfc",
      .overloads = {{{"erfc(Tensor self) -> Tensor", "erfc_", "erfc.out"},
                     {"special_erfc(Tensor self) -> Tensor", "", "special_erfc.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = {.float32 = kElementary.float32,
                   .float64 = {1.6F, 2.F},  // glibc's on both sides: 1.51 ulp measured
                   .reduced = kElementary.reduced},
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::erfc(v); },
                      [](auto v) { return std::erfc(v); }, x);
  }
};

struct Erfinv {
  static constexpr OpSpec spec{
      .name = "erfinv",
      .overloads = {{{"erfinv(Tensor self) -> Tensor", "erfinv_", "erfinv.out"},
                     {"special_erfinv(Tensor self) -> Tensor", "", "special_erfinv.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kElementary,
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::erfinv(v); }, x);
  }
};

/// The op erfcx. For x < 0 LibTorch rounds the exponent x^2, which multiplies the relative error by
/// x^2.
struct Erfcx {
  static constexpr OpSpec spec{
      .name = "special_erfcx",
      .overloads = {{{"special_erfcx(Tensor self) -> Tensor", "", "special_erfcx.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = {{0.51F, 75.F}, {3.2F, 720.F}, {0.51F, 0.51F}},
      .note = "exp(x^2) erfc(x)",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::erfcx(v); }, x);
  }
};

/// Error bounds of ndtr. LibTorch computes (1 + erf(x / sqrt(2))) / 2, which cancels for negative
/// x; this is the known difference ndtr-cancels.
inline constexpr Accuracy kNdtr{
    .float32 = {0.51F, 2.F}, .float64 = {2.5F, 2.F}, .reduced = {0.51F, 3.F}};
/// Error bounds of log_ndtr. LibTorch rounds x / sqrt(2), which matters little for |x| up to 3. For
/// larger |x| the error is multiplied by x^2; this is the known difference
/// log-ndtr-rounds-its-argument.
inline constexpr Accuracy kLogNdtr{{0.51F, 12.F}, {2.5F, 12.F}, {0.51F, 0.51F}};

struct Ndtr : internal::MadeApart {
  static constexpr OpSpec spec{
      .name = "special_ndtr",
      .overloads = {{{"special_ndtr(Tensor self) -> Tensor", "", "special_ndtr.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kNdtr,
      .layout = ResultLayout::kResizedOutIsContiguous,
      .note = "erfc(-x / sqrt(2)) / 2",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::ndtr(v); }, x);
  }
};

struct Ndtri {
  static constexpr OpSpec spec{
      .name = "special_ndtri",
      .overloads = {{{"special_ndtri(Tensor self) -> Tensor", "", "special_ndtri.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = {{0.51F, 5.F}, {3.F, 6.F}, {0.51F, 0.51F}},
      .note = "NaN outside [0, 1]",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::ndtri(v); }, x);
  }
};

struct LogNdtr {
  static constexpr OpSpec spec{
      .name = "special_log_ndtr",
      .overloads = {{{"special_log_ndtr(Tensor self) -> Tensor", "", "special_log_ndtr.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kLogNdtr,
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::log_ndtr(v); }, x);
  }
};

struct Entr {
  static constexpr OpSpec spec{
      .name = "special_entr",
      .overloads = {{{"special_entr(Tensor self) -> Tensor", "", "special_entr.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 1.5F}, {0.51F, 2.F}, {0.51F, 2.F}},
      .note = "-x log(x); 0 at 0, -inf below",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return once_rounded([](double v) { return upcast::entr(v); },
                        [](double v) { return precise::entr(v); }, x);
  }
};

using Special = OpFamily<Erf, Erfc, Erfinv, Erfcx, Ndtr, Ndtri, LogNdtr, Entr>;

}  // namespace upcast
