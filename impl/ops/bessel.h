// The Bessel functions i0, i1, k0, k1 and their scaled forms, j0, j1, y0, y1, the spherical j0, and
// airy_ai.
#pragma once

#include <concepts>

#include "impl/math/airy.h"
#include "impl/math/bessel_i.h"
#include "impl/math/bessel_jy.h"
#include "impl/math/bessel_k.h"
#include "impl/math/float_bessel.h"
#include "impl/math/widened.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

inline constexpr std::array<std::string_view, kMaxOperands> kX{"x"};

/// A base of the structs of J0 and J1: what make_op.h takes of functions of float32 and float64
/// that are right where is_below_bessel_limit() says so.
template <float (*OfFloat)(float), double (*OfDouble)(double)>
struct MostlyBelowBesselLimit {
  template <std::floating_point T>
  static T mostly(T x) {
    return elementary(OfFloat, OfDouble, x);
  }
  template <std::floating_point T>
  static bool is_right(T x, T) {
    return branchless::is_below_bessel_limit(x);
  }
  template <std::floating_point T>
  static bool is_tried(T x) {
    return branchless::is_below_bessel_limit(x);
  }
  template <class T>
  static constexpr bool redone_whole = std::same_as<T, float>;
};

}  // namespace internal

/// Error bounds of modified Bessel functions. LibTorch evaluates Cephes' polynomials in the dtype
/// itself, so its errors are large.
inline constexpr Accuracy kModifiedBessel{{0.51F, 12.F}, {3.3F, 12.F}, {0.51F, 0.51F}};
/// As kModifiedBessel, but LibTorch's terms cancel between 1 and 2: its series and log(x / 2)
/// I0(x). The largest error of all float32 from 0.03 to 10 is 18.95 ulp, at 1.4355; that of 300,000
/// float64 is 15.7 ulp.
inline constexpr Accuracy kBesselK0{{0.51F, 19.F}, {3.3F, 19.F}, {0.51F, 0.51F}};
/// As kModifiedBessel, but LibTorch multiplies by exp(x) and by x for |x| < 8, which adds
/// roundings.
inline constexpr Accuracy kBesselI1{{0.51F, 19.F}, {3.3F, 17.F}, {0.51F, 0.51F}};
/// Error bounds of LibTorch's formula, in which terms of size 1, and the phase, cancel near a zero.
/// Faults of LibTorch are not included. They are the known differences
/// bessel-denominators-lack-their-leading-one and airy-denominators-lack-their-leading-one.
inline constexpr Accuracy kBesselJY{
    .float32 = {0.51F, 12.F}, .float64 = {5.F, 12.F}, .reduced = {0.51F, 0.51F}, .scale = 0.1};
/// As kBesselJY, for airy_ai. Our Chebyshev sum on [-4, -3] has an error of 2^-54 of its largest
/// term. For x > 2.09 the error of the exponent counts, relative to the result, not in ulp of
/// `scale`.
inline constexpr Accuracy kAiry{
    .float32 = {0.51F, 24.F}, .float64 = {5.5F, 24.F}, .reduced = {0.51F, 0.51F}, .scale = 0.1};

struct I0 {
  static constexpr OpSpec spec{
      .name = "i0",
      .overloads = {{{"i0(Tensor self) -> Tensor", "i0_", "i0.out"},
                     {"special_i0(Tensor self) -> Tensor", "", "special_i0.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kModifiedBessel,
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_i0(v); }, x);
  }
};

struct I0e {
  static constexpr OpSpec spec{
      .name = "special_i0e",
      .overloads = {{{"special_i0e(Tensor self) -> Tensor", "", "special_i0e.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 12.F}, {3.3F, 12.F}, {0.51F, 6.F}},
      .note = "exp(-|x|) i0(x)",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_i0e(v); }, x);
  }
};

struct I1 {
  static constexpr OpSpec spec{
      .name = "special_i1",
      .overloads = {{{"special_i1(Tensor self) -> Tensor", "", "special_i1.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kBesselI1,
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_i1(v); }, x);
  }
};

struct I1e {
  static constexpr OpSpec spec{
      .name = "special_i1e",
      .overloads = {{{"special_i1e(Tensor self) -> Tensor", "", "special_i1e.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kBesselI1,
      .note = "exp(-|x|) i1(x)",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_i1e(v); }, x);
  }
};

struct ModifiedBesselI0 {
  static constexpr OpSpec spec{.name = "special_modified_bessel_i0",
                               .overloads = {{{"special_modified_bessel_i0(Tensor self) -> Tensor",
                                               "", "special_modified_bessel_i0.out"}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kFullFloats,
                               .accuracy = kModifiedBessel,
                               .note = "i0 without float16 and bfloat16",
                               .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_i0(v); }, x);
  }
};

struct ModifiedBesselI1 {
  static constexpr OpSpec spec{.name = "special_modified_bessel_i1",
                               .overloads = {{{"special_modified_bessel_i1(Tensor self) -> Tensor",
                                               "", "special_modified_bessel_i1.out"}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kFullFloats,
                               .accuracy = kBesselI1,
                               .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_i1(v); }, x);
  }
};

struct ModifiedBesselK0 {
  static constexpr OpSpec spec{.name = "special_modified_bessel_k0",
                               .overloads = {{{"special_modified_bessel_k0(Tensor self) -> Tensor",
                                               "", "special_modified_bessel_k0.out"}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kFullFloats,
                               .accuracy = kBesselK0,
                               .note = "inf at 0, NaN below",
                               .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_k0(v); }, x);
  }
};

struct ModifiedBesselK1 {
  static constexpr OpSpec spec{.name = "special_modified_bessel_k1",
                               .overloads = {{{"special_modified_bessel_k1(Tensor self) -> Tensor",
                                               "", "special_modified_bessel_k1.out"}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kFullFloats,
                               .accuracy = kModifiedBessel,
                               .note = "inf at 0, NaN below",
                               .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_k1(v); }, x);
  }
};

struct ScaledModifiedBesselK0 {
  static constexpr OpSpec spec{
      .name = "special_scaled_modified_bessel_k0",
      .overloads = {{{"special_scaled_modified_bessel_k0(Tensor x) -> Tensor", "",
                      "special_scaled_modified_bessel_k0.out"}}},
      .operands = internal::kX,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kBesselK0,
      .note = "exp(x) k0(x)",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::scaled_bessel_k0(v); }, x);
  }
};

struct ScaledModifiedBesselK1 {
  static constexpr OpSpec spec{
      .name = "special_scaled_modified_bessel_k1",
      .overloads = {{{"special_scaled_modified_bessel_k1(Tensor x) -> Tensor", "",
                      "special_scaled_modified_bessel_k1.out"}}},
      .operands = internal::kX,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kModifiedBessel,
      .note = "exp(x) k1(x)",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::scaled_bessel_k1(v); }, x);
  }
};

struct BesselJ0
    : internal::MostlyBelowBesselLimit<branchless::bessel_j0_mostly, branchless::bessel_j0_mostly> {
  static constexpr OpSpec spec{
      .name = "special_bessel_j0",
      .overloads = {{{"special_bessel_j0(Tensor self) -> Tensor", "", "special_bessel_j0.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kBesselJY,
      .note = "0 at infinity",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::bessel_j0(v); },
                      [](double v) { return upcast::bessel_j0(v); }, x);
  }
};

struct BesselJ1
    : internal::MostlyBelowBesselLimit<branchless::bessel_j1_mostly, branchless::bessel_j1_mostly> {
  static constexpr OpSpec spec{
      .name = "special_bessel_j1",
      .overloads = {{{"special_bessel_j1(Tensor self) -> Tensor", "", "special_bessel_j1.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kBesselJY,
      .note = "0 at infinity",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::bessel_j1(v); },
                      [](double v) { return upcast::bessel_j1(v); }, x);
  }
};

struct BesselY0 {
  static constexpr OpSpec spec{
      .name = "special_bessel_y0",
      .overloads = {{{"special_bessel_y0(Tensor self) -> Tensor", "", "special_bessel_y0.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kBesselJY,
      .note = "-inf at 0, NaN below",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_y0(v); }, x);
  }
};

struct BesselY1 {
  static constexpr OpSpec spec{
      .name = "special_bessel_y1",
      .overloads = {{{"special_bessel_y1(Tensor self) -> Tensor", "", "special_bessel_y1.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kBesselJY,
      .note = "-inf at 0, NaN below",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::bessel_y1(v); }, x);
  }
};

struct SphericalBesselJ0 {
  static constexpr OpSpec spec{.name = "special_spherical_bessel_j0",
                               .overloads = {{{"special_spherical_bessel_j0(Tensor x) -> Tensor",
                                               "", "special_spherical_bessel_j0.out"}}},
                               .operands = internal::kX,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kFullFloats,
                               .accuracy = {{0.51F, 1.5F}, {1.5F, 1.5F}, {0.51F, 0.51F}},
                               .note = "sin(x) / x",
                               .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::spherical_bessel_j0(v); }, x);
  }
};

struct AiryAi {
  static constexpr OpSpec spec{
      .name = "special_airy_ai",
      .overloads = {{{"special_airy_ai(Tensor x) -> Tensor", "", "special_airy_ai.out"}}},
      .operands = internal::kX,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = kAiry,
      .note = "0 at both infinities",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](auto v) { return upcast::airy_ai(v); }, x);
  }
};

using Bessel = OpFamily<I0, I0e, I1, I1e, ModifiedBesselI0, ModifiedBesselI1, ModifiedBesselK0,
                        ModifiedBesselK1, ScaledModifiedBesselK0, ScaledModifiedBesselK1, BesselJ0,
                        BesselJ1, BesselY0, BesselY1, SphericalBesselJ0, AiryAi>;

}  // namespace upcast
