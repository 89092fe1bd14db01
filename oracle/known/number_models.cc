// Models of LibTorch's wrong answers that come from how it computes with an attribute's number.
#include <array>
#include <cmath>
#include <string_view>

#include "impl/ops/number_cast.h"
#include "impl/promotion/promotion.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_maps.h"
#include "oracle/number_rounding.h"

namespace upcast::models {
namespace {

constexpr DTypeSet kRoundsAlpha = kReducedFloats | DTypeSet(DType::kComplex32);

/// Turns a subtraction into the addition with the same operands and form. rsub's out= form copies
/// its result, so that it becomes the functional form.
template <bool kSwapped>
Case as_sum(const Case& c) {
  using Callables = std::array<std::string_view, 3>;
  constexpr Callables kOfTensors{"add.Tensor", "add_.Tensor", "add.out"};
  constexpr Callables kOfScalars{"add.Scalar", "add_.Scalar", "add.Scalar_out"};
  const bool scalar = !kSwapped && c.schema().parameters[1].type == ParameterType::kScalar;
  const auto form = static_cast<std::size_t>(kSwapped ? Form::kFunctional : c.form);
  Case sum = c;
  set_callable(sum, (scalar ? kOfScalars : kOfTensors)[form]);
  if (!kSwapped) return sum;
  sum.out = {};
  for (const int i : {0, 1}) {
    Operand& moved = sum.arguments[static_cast<std::size_t>(1 - i)];
    moved = c.arguments[static_cast<std::size_t>(i)];
    moved.shares = kOwnStorage;
    if (moved.tag == Operand::Tag::kTensor) moved.values = seen_values(c, i);
  }
  return sum;
}

/// sub and rsub of the dtypes for which ATen does not round alpha (alpha_in_the_dtype): ATen adds
/// -alpha * other.
template <bool kSwapped>
std::optional<Answer> alpha_negated_as_an_integer(const Case& c, const Answer& right) {
  const int alpha = c.schema().find("alpha");
  if (alpha < 0) return std::nullopt;
  // Promotion is refused if the common dtype cannot hold alpha.
  const Outcome<Promoted> promoted = promote_case(c);
  if (promoted.ok() && kRoundsAlpha.contains(promoted.value().common)) return std::nullopt;
  const Operand& given = c.arguments[static_cast<std::size_t>(alpha)];
  if (given.tag != Operand::Tag::kNumber) return std::nullopt;
  Case sum = as_sum<kSwapped>(c);
  sum.arguments[2].number = negated_as_scalar(given.number);
  const Answer added = ours_of(sum);
  // ATen may refuse -alpha: the negative of the least int32, say, does not fit int32
  if (right.tag == Answer::Tag::kRefusal || added.tag == Answer::Tag::kRefusal) return added;
  if (added.tag != Answer::Tag::kTensor || added.bytes.size() != right.bytes.size())
    return std::nullopt;
  Answer wrong = right;
  wrong.bytes = added.bytes;
  return wrong;
}

struct SlopeBounds {
  Number lower, upper;
};

SlopeBounds slope_bounds_of(const Case& c) {
  const auto number = [&c](std::string_view name, double otherwise) {
    const Operand& given = c.arguments[static_cast<std::size_t>(c.schema().find(name))];
    return given.tag == Operand::Tag::kNumber ? given.number : Number(otherwise);
  };
  return {number("lower", 0.125), number("upper", 0.3333333333333333)};
}

DTypeResult common_dtype(const SlopeBounds& bounds, Defaults defaults) {
  return result_type({bounds.lower.dtype(), Kind::kZeroDim}, {bounds.upper.dtype(), Kind::kZeroDim},
                     defaults);
}

/// rrelu: the slope is (lower + upper) / 2, computed with two zero-dim tensors of the numbers' own
/// dtypes. So bools add as bools, int64 wraps, and the quotient of integers has the default dtype.
std::optional<Answer> rrelu_slope_of_tensors(const Case& c, const Answer& right) {
  const SlopeBounds bounds = slope_bounds_of(c);
  const DTypeResult common = common_dtype(bounds, c.defaults);
  // ATen's add has no kernel for uint64.
  if (!common.ok() || common.dtype() == DType::kUInt64) return refusal();
  if (!(is_integral(common.dtype()) || is_bool(common.dtype()))) return std::nullopt;
  const auto whole = [](const Number& number) {
    return static_cast<std::uint64_t>(number_to<std::int64_t>(number));
  };
  const auto sum = static_cast<std::int64_t>(whole(bounds.lower) + whole(bounds.upper));
  const double total = is_bool(common.dtype()) ? sum != 0 : static_cast<double>(sum);
  // For the slope ATen divides a tensor of the default dtype by the number 2.
  const double slope = rounded(c.defaults.floating, rounded(c.defaults.floating, total) / 2);
  return in_the_dtype(c, right,
                      [slope]<class T>(T x) -> T { return x > 0 ? x : x * static_cast<T>(slope); });
}

/// rrelu_: ATen accepts infinite bounds, which rrelu refuses.
std::optional<Answer> rrelu_in_place_of_infinite_bounds(const Case& c, const Answer&) {
  const SlopeBounds bounds = slope_bounds_of(c);
  const auto low = number_to<double>(bounds.lower), high = number_to<double>(bounds.upper);
  if (c.form != Form::kInPlace || !(low <= high) || (std::isfinite(low) && std::isfinite(high)))
    return std::nullopt;
  Case leaky = c;
  set_callable(leaky, "leaky_relu_");
  leaky.arguments = {c.arguments[0],
                     {.tag = Operand::Tag::kNumber, .number = Number((low + high) / 2)}};
  return ours_of(leaky);
}

/// round(decimals): ATen computes round(x * 10^d) / 10^d in the compute dtype. The power or the
/// product may be infinite. The product is rounded before it is decided whether it is a tie.
std::optional<Answer> scaled_in_the_compute_dtype(const Case& c, const Answer& right) {
  const int position = c.schema().find("decimals");
  if (position < 0) return std::nullopt;
  const DType dtype = dtype_of(c.arguments[0]);
  const auto decimals =
      c.arguments[position].number.visit([](auto value) { return convert<std::int64_t>(value); });
  const auto round = [decimals]<class T>(T x) {
    const T power = static_cast<T>(std::pow(T(10), static_cast<T>(std::abs(decimals))));
    return decimals < 0 ? std::nearbyint(x / power) * power : std::nearbyint(x * power) / power;
  };
  if (dtype == DType::kFloat64) {
    auto values = elements<double>(dtype, seen_values(c, 0), dtype);
    for (double& value : values) value = round(value);
    return with_values(right, DType::kFloat64, bytes_of(values));
  }
  auto values = elements<float>(dtype, seen_values(c, 0), DType::kFloat32);
  for (float& value : values) value = round(value);
  return with_values(right, dtype, cast(DType::kFloat32, bytes_of(values), dtype));
}

/// Operands that do not decide the common dtype are first rounded to it, because ATen copies the
/// operands of most kernels. In a call without such operands, the parameters are rounded.
std::optional<Answer> numbers_in_the_common_dtype(const Case& c, const Answer& right) {
  for (const NumberRounding& way : number_roundings(c)) {
    Answer rounded = answer_of(way);
    if (rounded.bytes != right.bytes) return rounded;
  }
  return std::nullopt;
}

}  // namespace

ModelRows number_models() {
  return {
      {"alpha_negated_as_an_integer", {"sub"}, alpha_negated_as_an_integer<false>},
      {"alpha_negated_as_an_integer", {"rsub"}, alpha_negated_as_an_integer<true>},
      {"rrelu_slope_of_tensors", {"rrelu"}, rrelu_slope_of_tensors},
      {"rrelu_in_place_of_infinite_bounds", {"rrelu"}, rrelu_in_place_of_infinite_bounds},
      {"scaled_in_the_compute_dtype", {"round"}, scaled_in_the_compute_dtype},
      {"numbers_in_the_common_dtype", {kEveryOp}, numbers_in_the_common_dtype},
  };
}

}  // namespace upcast::models
