// The ops exp, log and their variants, sqrt, rsqrt, logaddexp, logaddexp2, xlogy and xlog1py.
#pragma once

#include <cmath>
#include <limits>

#include "impl/math/complex_logarithm.h"
#include "impl/math/complex_power.h"
#include "impl/math/double_elementary.h"
#include "impl/math/double_functions.h"
#include "impl/math/float_exponential.h"
#include "impl/math/widened.h"
#include "impl/ops/make_op.h"
#include "impl/ops/mostly_complex.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

UPCAST_HOST_DEVICE inline double logaddexp2(double a, double b) {
  constexpr double kPerLn2 = 1.44269504088896340735992468100;
  if (std::isinf(a) && a == b) return a;
  const double larger = std::max(a, b);
  return std::isnan(a) || std::isnan(b)
             ? a + b
             : larger + std::log1p(std::exp2(-std::abs(a - b))) * kPerLn2;
}

/// x * log(y). It is NaN if y is NaN, and else 0 if x is 0.
UPCAST_HOST_DEVICE inline double xlogy(double x, double y) {
  return std::isnan(y) ? y : x == 0 ? 0.0 : x * std::log(y);
}
UPCAST_HOST_DEVICE inline double xlog1py(double x, double y) {
  return std::isnan(y) ? y : x == 0 ? 0.0 : x * std::log1p(y);
}

UPCAST_HOST_DEVICE inline double logaddexp(double a, double b) {
  if (std::isinf(a) && a == b) return a;
  const double larger = std::max(a, b);
  return std::isnan(a) || std::isnan(b) ? a + b : larger + std::log1p(std::exp(-std::abs(a - b)));
}

}  // namespace internal

struct Exp : internal::MostlyComplex<branchless::exp> {
  static constexpr OpSpec spec{.name = "exp",
                               .overloads = unary("exp(Tensor self) -> Tensor", "exp_", "exp.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kElementaryTypes,
                               .accuracy = kElementary,
                               .has_layouts_of_interest = true};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::exp(x);
    else
      return branchless::exp(x);
  }
  struct FloatsOnLanes {
    using Lane = double;
    template <class Real>
    static auto begin(const Real& x) {
      return branchless::reduced(x);
    }
    template <class Real>
    static Real end(const branchless::Reduced<Real>& x) {
      return branchless::exp_of(x);
    }
    static constexpr LaneRange<float> range{-100, 100};
  };
  struct DoublesOnLanes {
    using Lane = double;
    template <class Real>
    static auto begin(const Real& x) {
      return branchless::reduced_in_parts(x);
    }
    template <class Real>
    static Real end(const branchless::ReducedInParts<Real>& x) {
      return branchless::exp_of_normal(x);
    }
    static constexpr LaneRange<double> range{-branchless::kNormalExponent,
                                             branchless::kNormalExponent};
  };
};

/// exp2. For complex numbers LibTorch computes exp(z * ln 2), which multiplies the rounding error
/// of the product by |z|.
struct Exp2 {
  static constexpr OpSpec spec{
      .name = "exp2",
      .overloads = unary("exp2(Tensor self) -> Tensor", "exp2_", "exp2.out",
                         "special_exp2(Tensor self) -> Tensor", "", "special_exp2.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::exp2(x);
    else
      return widened([](double v) { return std::exp2(v); }, x);
  }
};

struct Expm1 {
  static constexpr OpSpec spec{
      .name = "expm1",
      .overloads = unary("expm1(Tensor self) -> Tensor", "expm1_", "expm1.out",
                         "special_expm1(Tensor self) -> Tensor", "", "special_expm1.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::expm1(x);
    else
      return elementary([](float v) { return branchless::expm1(v); },
                        [](double v) { return std::expm1(v); }, x);
  }
};

/// For log, log2 and log10 on lanes.
struct LogarithmOnLanes {
  using Lane = double;
  template <class Real>
  static auto begin(const Real& x) {
    return branchless::binade(x);
  }
  static constexpr LaneRange<float> range{std::numeric_limits<float>::denorm_min(),
                                          std::numeric_limits<float>::max()};
};

struct Log {
  static constexpr OpSpec spec{.name = "log",
                               .overloads = unary("log(Tensor self) -> Tensor", "log_", "log.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kElementaryTypes,
                               .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::log(x);
    else
      return branchless::log(x);
  }
  struct FloatsOnLanes : LogarithmOnLanes {
    template <class Real>
    static Real end(const branchless::Binade<Real>& x) {
      return branchless::log_of(x);
    }
  };
};

struct Log10 {
  static constexpr OpSpec spec{
      .name = "log10",
      .overloads = unary("log10(Tensor self) -> Tensor", "log10_", "log10.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::log10(x);
    else
      return elementary([](float v) { return branchless::log10(v); },
                        [](double v) { return precise::log10(v); }, x);
  }
  struct FloatsOnLanes : LogarithmOnLanes {
    template <class Real>
    static Real end(const branchless::Binade<Real>& x) {
      return branchless::log10_of(x);
    }
  };
};

struct Log1p {
  static constexpr OpSpec spec{
      .name = "log1p",
      .overloads = unary("log1p(Tensor self) -> Tensor", "log1p_", "log1p.out",
                         "special_log1p(Tensor self) -> Tensor", "", "special_log1p.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::log1p(x);
    else
      return elementary([](float v) { return branchless::log1p(v); },
                        [](double v) { return std::log1p(v); }, x);
  }
  struct FloatsOnLanes {
    using Lane = double;
    template <class Real>
    static auto begin(const Real& x) {
      return branchless::one_plus(x);
    }
    template <class Real>
    static Real end(const branchless::Binade<Real>& sum) {
      return branchless::log_of(sum);
    }
    static constexpr LaneRange<float> range{-0x1.fffffep-1F, std::numeric_limits<float>::max()};
  };
};

struct Log2 {
  static constexpr OpSpec spec{
      .name = "log2",
      .overloads = unary("log2(Tensor self) -> Tensor", "log2_", "log2.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::log2(x);
    else
      return elementary([](float v) { return branchless::log2(v); },
                        [](double v) { return std::log2(v); }, x);
  }
  struct FloatsOnLanes : LogarithmOnLanes {
    template <class Real>
    static Real end(const branchless::Binade<Real>& x) {
      return branchless::log2_of(x);
    }
  };
};

struct Sqrt {
  static constexpr OpSpec spec{
      .name = "sqrt",
      .overloads = unary("sqrt(Tensor self) -> Tensor", "sqrt_", "sqrt.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary,
      .note = "correctly rounded; LibTorch's vector library (VML) is not"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::sqrt(x);
    else
      return std::sqrt(x);
  }
};

struct Rsqrt {
  static constexpr OpSpec spec{
      .name = "rsqrt",
      .overloads = unary("rsqrt(Tensor self) -> Tensor", "rsqrt_", "rsqrt.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::rsqrt(x);
    else
      return elementary([](float v) { return branchless::rsqrt(v); },
                        [](double v) { return precise::rsqrt(v); }, x);
  }
  struct FloatsOnLanes {
    using Lane = float;
    template <class Real>
    static auto begin(const Real& x) {
      return branchless::near_rsqrt(x);
    }
    template <class Real>
    static Real end(const branchless::NearRsqrt<Real>& start) {
      return branchless::rsqrt_from(start);
    }
    static constexpr LaneRange<float> range{std::numeric_limits<float>::min(),
                                            std::numeric_limits<float>::max()};
  };
};

/// logaddexp. If the sum of exponentials is near 1, LibTorch's terms cancel; this is the known
/// difference logaddexp-cancels.
struct LogAddExp {
  static constexpr OpSpec spec{
      .name = "logaddexp",
      .overloads = {{{"logaddexp(Tensor self, Tensor other) -> Tensor", "", "logaddexp.out"}}},
      .operands = kSelfOther,
      .dtypes = kElementaryTypes,
      .accuracy = {{0.51F, 2.F}, {1.F, 2.F}, {0.51F, 0.51F}, {0.51F, 4.F}, {0.51F, 4.F}, 0, 1},
      .gpu_scalars = kNoGpuScalars};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (kIsComplex<T>)
      return upcast::logaddexp(a, b);
    else
      return once_rounded([](double x, double y) { return internal::logaddexp(x, y); },
                          [](double x, double y) { return precise::logaddexp(x, y); }, a, b);
  }
};

/// As above.
struct LogAddExp2 {
  static constexpr OpSpec spec{
      .name = "logaddexp2",
      .overloads = {{{"logaddexp2(Tensor self, Tensor other) -> Tensor", "", "logaddexp2.out"}}},
      .operands = kSelfOther,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 2.F}, {2.F, 2.F}, {0.51F, 0.51F}, {}, {}, 0, 1},
      .gpu_scalars = kNoGpuScalars};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return once_rounded([](double x, double y) { return internal::logaddexp2(x, y); },
                        [](double x, double y) { return precise::logaddexp2(x, y); }, a, b);
  }
};

/// Error bounds of xlogy and xlog1py, which LibTorch rounds twice: the logarithm, then the product.
inline constexpr Accuracy kTimesLog{{0.51F, 2.F}, {1.F, 2.F}, {0.51F, 1.5F}};

struct XLogY {
  static constexpr OpSpec spec{
      .name = "xlogy",
      .overloads =
          {{{"xlogy.Tensor(Tensor self, Tensor other) -> Tensor", "xlogy_.Tensor",
             "xlogy.OutTensor"},
            {"xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor", "", "xlogy.OutScalar_Self"},
            {"xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor", "xlogy_.Scalar_Other",
             "xlogy.OutScalar_Other"},
            {"special_xlogy(Tensor self, Tensor other) -> Tensor", "", "special_xlogy.out"},
            {"special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor", "",
             "special_xlogy.self_scalar_out"},
            {"special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor", "",
             "special_xlogy.other_scalar_out"}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kTimesLog,
      .note = "0 where self is 0, unless other is NaN"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T y) const {
    return once_rounded([](double a, double b) { return internal::xlogy(a, b); },
                        [](double a, double b) { return precise::xlogy(a, b); }, x, y);
  }
};

struct XLog1pY {
  static constexpr OpSpec spec{
      .name = "special_xlog1py",
      .overloads = {{{"special_xlog1py(Tensor self, Tensor other) -> Tensor", "",
                      "special_xlog1py.out"},
                     {"special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor", "",
                      "special_xlog1py.self_scalar_out"},
                     {"special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor", "",
                      "special_xlog1py.other_scalar_out"}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kTimesLog,
      .note = "0 where self is 0, unless other is NaN",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T y) const {
    return once_rounded([](double a, double b) { return internal::xlog1py(a, b); },
                        [](double a, double b) { return precise::xlog1py(a, b); }, x, y);
  }
};

using Exponential = OpFamily<Exp, Exp2, Expm1, Log, Log10, Log1p, Log2, Sqrt, Rsqrt, LogAddExp,
                             LogAddExp2, XLogY, XLog1pY>;

}  // namespace upcast
