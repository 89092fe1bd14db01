// The ops sin, cos, tan and their inverses, sinc, angle, and degrees. `mostly` is a functor without
// branches: its loop is vectorised, and computes again the results that `is_right` rejects.
#pragma once

#include <cmath>
#include <concepts>

#include "impl/math/complex_inverse.h"
#include "impl/math/complex_trigonometric.h"
#include "impl/math/double_elementary.h"
#include "impl/math/double_functions.h"
#include "impl/math/float_trigonometric.h"
#include "impl/math/widened.h"
#include "impl/ops/arithmetic.h"
#include "impl/ops/make_op.h"
#include "impl/ops/mostly_complex.h"
#include "impl/ops/overloads.h"

namespace upcast {

struct Sin : internal::MostlyComplex<branchless::sin> {
  static constexpr OpSpec spec{.name = "sin",
                               .overloads = unary("sin(Tensor self) -> Tensor", "sin_", "sin.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kElementaryTypes,
                               .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::sin(x);
    else
      return branchless::sin(x);
  }
  using MostlyComplex::is_right;
  using MostlyComplex::mostly;
  template <std::floating_point T>
  static T mostly(T x) {
    return branchless::sin_mostly(x);
  }
  template <std::floating_point T>
  static bool is_right(T x, T) {
    return branchless::is_small_angle(x);
  }
  template <class T>
  static constexpr bool redone_whole = std::same_as<T, float>;
};

struct Cos : internal::MostlyComplex<branchless::cos> {
  static constexpr OpSpec spec{.name = "cos",
                               .overloads = unary("cos(Tensor self) -> Tensor", "cos_", "cos.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kElementaryTypes,
                               .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::cos(x);
    else
      return branchless::cos(x);
  }
  using MostlyComplex::is_right;
  using MostlyComplex::mostly;
  template <std::floating_point T>
  static T mostly(T x) {
    return branchless::cos_mostly(x);
  }
  template <std::floating_point T>
  static bool is_right(T x, T) {
    return branchless::is_small_angle(x);
  }
  template <class T>
  static constexpr bool redone_whole = std::same_as<T, float>;
};

struct Tan : internal::MostlyComplex<branchless::tan> {
  static constexpr OpSpec spec{.name = "tan",
                               .overloads = unary("tan(Tensor self) -> Tensor", "tan_", "tan.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kElementaryTypes,
                               .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::tan(x);
    else
      return elementary([](float v) { return branchless::tan(v); },
                        [](double v) { return precise::tan(v); }, x);
  }
  using MostlyComplex::is_right;
  using MostlyComplex::mostly;
  template <std::same_as<float> T>
  static T mostly(T x) {
    return branchless::tan_mostly(x);
  }
  template <std::same_as<float> T>
  static bool is_right(T x, T) {
    return branchless::is_small_angle(x);
  }
  template <class T>
  static constexpr bool redone_whole = std::same_as<T, float>;
};

struct Asin {
  static constexpr OpSpec spec{
      .name = "asin",
      .overloads = unary("asin(Tensor self) -> Tensor", "asin_", "asin.out",
                         "arcsin(Tensor self) -> Tensor", "arcsin_", "arcsin.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::asin(x);
    else
      return elementary([](float v) { return branchless::asin(v); },
                        [](double v) { return std::asin(v); }, x);
  }
};

struct Acos {
  static constexpr OpSpec spec{
      .name = "acos",
      .overloads = unary("acos(Tensor self) -> Tensor", "acos_", "acos.out",
                         "arccos(Tensor self) -> Tensor", "arccos_", "arccos.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::acos(x);
    else
      return elementary([](float v) { return branchless::acos(v); },
                        [](double v) { return std::acos(v); }, x);
  }
};

struct Atan {
  static constexpr OpSpec spec{
      .name = "atan",
      .overloads = unary("atan(Tensor self) -> Tensor", "atan_", "atan.out",
                         "arctan(Tensor self) -> Tensor", "arctan_", "arctan.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::atan(x);
    else
      return elementary([](float v) { return branchless::atan(v); },
                        [](double v) { return std::atan(v); }, x);
  }
};

struct Atan2 {
  static constexpr OpSpec spec{
      .name = "atan2",
      .overloads = {{{"atan2(Tensor self, Tensor other) -> Tensor", "atan2_", "atan2.out"},
                     {"arctan2(Tensor self, Tensor other) -> Tensor", "arctan2_", "arctan2.out"}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T y, T x) const {
    return widened([](double a, double b) { return std::atan2(a, b); }, y, x);
  }
};

struct Angle {
  static constexpr OpSpec spec{
      .name = "angle",
      .overloads = unary("angle(Tensor self) -> Tensor", "", "angle.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats | kFullComplex,
      .accuracy = kElementary,
      .layout = ResultLayout::kComplexIsContiguous,
      .note =
          "int_to_float for real inputs: NaN stays, negative gives pi, else 0; complex: "
          "atan2(imag, real), as complex_to_real unless out is complex",
      .has_layouts_of_interest = true};

  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const bool gives_real = is_complex(query.inputs[0].dtype) && !is_complex(query.out);
    return compute_types(gives_real ? PromotionKind::kComplexToReal : PromotionKind::kIntToFloat,
                         query);
  }
  template <class T>
  UPCAST_HOST_DEVICE RealOf<T> operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return static_cast<RealOf<T>>(
          std::atan2(static_cast<double>(x.im), static_cast<double>(x.re)));
    else
      return std::isnan(x) ? x : x < 0 ? static_cast<T>(3.14159265358979323846) : T(0);
  }
};

/// The op sinc: sin(pi x) / (pi x). It is 1 at 0, and exactly 0 at all other integers.
struct Sinc {
  static constexpr OpSpec spec{
      .name = "sinc",
      .overloads = {{{"sinc(Tensor self) -> Tensor", "sinc_", "sinc.out"},
                     {"special_sinc(Tensor self) -> Tensor", "", "special_sinc.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = {{0.51F, 2.F}, {2.F, 2.F}, {0.51F, 0.51F}, {0.51F, 4.F}, {0.51F, 4.F}}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      return upcast::sinc(x);
    } else {
      return once_rounded([](double v) { return of_float(v); },
                          [](double v) { return precise::sinc(v); }, x);
    }
  }

 private:
  UPCAST_HOST_DEVICE static double of_float(double x) {
    constexpr double kPi = 3.14159265358979323846;
    const double v = std::abs(x);  // sinc is even, also in the sign of a zero
    return v == 0 ? 1 : std::sin(kPi * reduced(v)) / (kPi * v);
  }
  /// A number r in [-1/2, 1/2] with sin(pi r) = sin(pi x), so that the sine's argument is small.
  UPCAST_HOST_DEVICE static double reduced(double x) {
    const double r = std::remainder(x, 2.0);
    return std::abs(r) > 0.5 ? std::copysign(1.0, r) - r : r;
  }
};

/// Error bounds of a product with a constant. LibTorch rounds the constant to the dtype (not for
/// float16 and bfloat16), and then rounds the product.
inline constexpr Accuracy kConstantFactor{{0.51F, 1.5F}, {1.F, 1.F}, {0.51F, 0.51F}};

struct Rad2Deg {
  static constexpr OpSpec spec{
      .name = "rad2deg",
      .overloads = unary("rad2deg(Tensor self) -> Tensor", "rad2deg_", "rad2deg.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kConstantFactor};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](double v) { return v * 57.2957795130823208768; }, x);
  }
};

struct Deg2Rad {
  static constexpr OpSpec spec{
      .name = "deg2rad",
      .overloads = unary("deg2rad(Tensor self) -> Tensor", "deg2rad_", "deg2rad.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kConstantFactor};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return widened([](double v) { return v * 0.0174532925199432957692; }, x);
  }
};

using Trigonometric =
    OpFamily<Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Angle, Sinc, Rad2Deg, Deg2Rad>;

}  // namespace upcast
