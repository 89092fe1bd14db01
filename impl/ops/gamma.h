// The ops lgamma, digamma, polygamma, mvlgamma, the incomplete gamma functions, and Hurwitz's zeta
// function.
#pragma once

#include "impl/math/digamma.h"
#include "impl/math/float_special.h"
#include "impl/math/incomplete_gamma.h"
#include "impl/math/lgamma.h"
#include "impl/math/polygamma.h"
#include "impl/math/widened.h"
#include "impl/math/zeta.h"
#include "impl/ops/made_apart.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

/// Error bounds of lgamma. glibc's errors between -4 and -3 are 6.8 ulp (float32) and 8.2 ulp
/// (float64), measured. Our float64 function is glibc's from -2 up (2.31 ulp measured). LibTorch's
/// vector code has 0.9 ulp above -2. Below, its error is absolute near each zero: 2 ulp of 1/64.
inline constexpr Accuracy kLgamma{.float32 = {0.51F, 7.F, 2.F},
                                  .float64 = {2.5F, 9.F, 2.F},
                                  .reduced = {0.51F, 0.51F},
                                  .native_scale = 1.0 / 64};

}  // namespace internal

struct Lgamma {
  static constexpr OpSpec spec{
      .name = "lgamma",
      .overloads = {{{"lgamma(Tensor self) -> Tensor", "lgamma_", "lgamma.out"},
                     {"special_gammaln(Tensor self) -> Tensor", "", "special_gammaln.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = internal::kLgamma,
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::lgamma(v); },
                      [](double v) { return lgamma_precise(v); }, x);
  }
  /// lgamma without branches, and whether its result equals lgamma's (see trigonometric.h).
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
      .accuracy = {.float32 = {0.51F, 8.F},
                   .float64 = {0.51F, 40.F},
                   .reduced = {0.51F, 0.51F},
                   .scale = 1},
      .note = "the zeros keep their signs: -inf at +0, inf at -0",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::digamma(v); },
                      [](double v) { return upcast::digamma(v); }, x);
  }
  /// digamma without branches, and whether its result equals digamma's (see trigonometric.h).
  template <std::same_as<float> T>
  static T mostly(T x) {
    return branchless::digamma_mostly(x);
  }
  template <std::same_as<float> T>
  static bool is_right(T x, T found) {
    return branchless::digamma_is_right(x, found);
  }
};

/// The op polygamma. The in-place form polygamma_ has its parameters in another order, so it is an
/// overload of its own, without other forms.
struct Polygamma {
  static constexpr OpSpec spec{
      .name = "polygamma",
      .overloads = {{{"polygamma(int n, Tensor self) -> Tensor", "", "polygamma.out"},
                     {"polygamma_(Tensor self, int n) -> Tensor", "polygamma_", ""},
                     {"special_polygamma(int n, Tensor self) -> Tensor", "",
                      "special_polygamma.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 8.F}, {3.F, 60.F}, {0.51F, 3.F}},
      .note = "refuses n < 0; at a pole the infinity of its right side",
      .loop = {.parameter = "self", .least = -kManySteps},
      .samples = {{{"n", "0, 1, 2, 3, 10, -1", "0, 1, 3"}}},
      .sweep = {.why_never = "its truth takes a millisecond; sweep polygamma_"}};

  template <class T>
  struct Params {
    PolygammaOrder order;
    Params(const Call& call, DType) : order(number_to<std::int64_t>(call.number("n", 0))) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    if (number_to<std::int64_t>(call.number("n", 0)) < 0)
      return Rejection{RejectionCode::kBadAttribute, "n is not negative"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return widened([&params](double v) { return upcast::polygamma(params.order, v); }, x);
  }
};

/// The op mvlgamma, the logarithm of the multivariate gamma function. As in LibTorch, it is the sum
/// of log |gamma| for any argument.
struct Mvlgamma : internal::MadeApart {
  static constexpr OpSpec spec{
      .name = "mvlgamma",
      .overloads = {{{"mvlgamma(Tensor self, int p) -> Tensor", "mvlgamma_", "mvlgamma.out"},
                     {"special_multigammaln(Tensor self, int p) -> Tensor", "",
                      "special_multigammaln.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats,
      .accuracy = {.float32 = {0.51F, 6.F},
                   .float64 = {3.F, 6.F},
                   .reduced = {0.51F, 3.F},
                   .scale = 1},
      .layout = ResultLayout::kContiguous,
      .note = "refuses bool and p < 1; a number keeps its own dtype",
      .loop = {.parameter = "p", .most = kManySteps},
      .samples = {{{"p", "1, 2, 3, 5, 0", "1, 3"}}},
      .sweep = {.attributes = "p=2", .slow = true}};

  template <class T>
  struct Params {
    std::int64_t p;
    Params(const Call& call, DType) : p(number_to<std::int64_t>(call.number("p", 1))) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (is_bool(operands[0].dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "mvlgamma refuses bool"};
    if (number_to<std::int64_t>(call.number("p", 1)) < 1)
      return Rejection{RejectionCode::kBadAttribute, "p is at least 1"};
    return std::nullopt;
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    // ATen adds a dimension to self, so its kind is dim.
    const TypedOperand self{query.inputs[0].dtype, Kind::kDim};
    TypesQuery widened_self = query;
    widened_self.inputs = {&self, 1};
    return compute_types(PromotionKind::kIntToFloat, widened_self);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return widened([&params](double v) { return upcast::multivariate_lgamma(v, params.p); }, x);
  }
};

/// Error bounds of the incomplete gamma functions. LibTorch subtracts from 1 a number near 1, so
/// its errors are absolute; errors above these bounds are the known difference igamma-after-cephes.
/// In our float64 function, exp magnifies half an ulp of an exponent of up to 745 (9 ulp measured
/// at 1.9e-252).
inline constexpr Accuracy kIncompleteGamma{
    .float32 = {0.51F, 80.F}, .float64 = {16.F, 80.F}, .reduced = {0.51F, 0.51F}, .scale = 1};

struct Igamma {
  static constexpr OpSpec spec{
      .name = "igamma",
      .overloads = {{{"igamma(Tensor self, Tensor other) -> Tensor", "igamma_", "igamma.out"},
                     {"special_gammainc(Tensor self, Tensor other) -> Tensor", "",
                      "special_gammainc.out"}}},
      .operands = kSelfOther,
      .dtypes = kFloats,
      .accuracy = kIncompleteGamma,
      .gpu_scalars = kNoGpuScalars,
      .note = "P(self, other); self is the parameter",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T x) const {
    return widened([](auto v, auto w) { return upcast::igamma(v, w); }, a, x);
  }
};

struct Igammac {
  static constexpr OpSpec spec{
      .name = "igammac",
      .overloads = {{{"igammac(Tensor self, Tensor other) -> Tensor", "igammac_", "igammac.out"},
                     {"special_gammaincc(Tensor self, Tensor other) -> Tensor", "",
                      "special_gammaincc.out"}}},
      .operands = kSelfOther,
      .dtypes = kFloats,
      .accuracy = kIncompleteGamma,
      .gpu_scalars = kNoGpuScalars,
      .note = "Q(self, other) = 1 - P",
      .sweep = {.slow = true}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T x) const {
    return widened([](auto v, auto w) { return upcast::igammac(v, w); }, a, x);
  }
};

struct Zeta {
  static constexpr OpSpec spec{
      .name = "special_zeta",
      .overloads = {{{"special_zeta(Tensor self, Tensor other) -> Tensor", "", "special_zeta.out"},
                     {"special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor", "",
                      "special_zeta.self_scalar_out"},
                     {"special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor", "",
                      "special_zeta.other_scalar_out"}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = {{0.51F, 1.F}, {3.F, 20.F}, {0.51F, 0.51F}},
      .note = "Hurwitz's zeta(self, other); NaN below self = 1",
      .loop = {.parameter = "other", .least = -kManySteps},
      .sweep = {.slow = true,
                .why_no_sample =
                    "from a negative operand LibTorch steps up by 1, which takes days at -2^52"}};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T s, T q) const {
    return widened([](auto v, auto w) { return upcast::hurwitz_zeta(v, w); }, s, q);
  }
};

using Gamma = OpFamily<Lgamma, Digamma, Polygamma, Mvlgamma, Igamma, Igammac, Zeta>;

}  // namespace upcast
