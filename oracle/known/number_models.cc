#include "oracle/known/number_models.h"

#include <array>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "impl/ops/number_cast.h"
#include "impl/promotion/promotion.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_maps.h"

namespace upcast {

using namespace models;

namespace {

constexpr DTypeSet kRoundsAlpha = kReducedFloats | DTypeSet(DType::kComplex32);

/// The sum that a difference is: the same operands in the order of add, in the same form; of rsub,
/// whose out= is a copy, in the functional one.
Case as_sum(const Case& c) {
  using Callables = std::array<std::string_view, 3>;
  constexpr Callables kOfTensors{"add.Tensor", "add_.Tensor", "add.out"};
  constexpr Callables kOfScalars{"add.Scalar", "add_.Scalar", "add.Scalar_out"};
  const bool swapped = c.op->spec->name == "rsub";
  const bool scalar = !swapped && c.schema().parameters[1].type == ParameterType::kScalar;
  const auto form = static_cast<std::size_t>(swapped ? Form::kFunctional : c.form);
  const FoundOp found = find_callable((scalar ? kOfScalars : kOfTensors)[form]);
  Case sum = c;
  sum.op = found.op;
  sum.overload = found.overload;
  sum.form = found.form;
  if (!swapped) return sum;
  sum.out = {};
  for (const int i : {0, 1}) {
    Operand& moved = sum.arguments[static_cast<std::size_t>(1 - i)];
    moved = c.arguments[static_cast<std::size_t>(i)];
    moved.shares = kOwnStorage;
    if (moved.tag == Operand::Tag::kTensor) moved.values = seen_values(c, i);
  }
  return sum;
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

}  // namespace

Number negated_as_scalar(const Number& alpha) {
  return alpha.visit([](auto value) -> Number {
    if constexpr (std::is_integral_v<decltype(value)>)
      return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
    else
      return Number(-value);
  });
}

std::optional<Answer> alpha_negated_as_an_integer(const Case& c, const Answer& right) {
  const int alpha = c.schema().find("alpha");
  if (alpha < 0 || c.op->spec->name == "add") return std::nullopt;
  const Outcome<Promoted> promoted = promote_case(c);  // refused where alpha does not fit
  if (promoted.ok() && kRoundsAlpha.contains(promoted.value().common)) return std::nullopt;
  const Operand& given = c.arguments[static_cast<std::size_t>(alpha)];
  if (given.tag != Operand::Tag::kNumber) return std::nullopt;
  Case sum = as_sum(c);
  sum.arguments[2].number = negated_as_scalar(given.number);
  const Answer added = ours_of(sum);
  // what wraps fits int64, and the negative of the lowest int32 no int32
  if (right.tag == Answer::Tag::kRefusal || added.tag == Answer::Tag::kRefusal) return added;
  if (added.tag != Answer::Tag::kTensor || added.bytes.size() != right.bytes.size())
    return std::nullopt;
  Answer wrong = right;
  wrong.bytes = added.bytes;
  return wrong;
}

std::optional<Answer> rrelu_slope_of_tensors(const Case& c, const Answer& right) {
  const SlopeBounds bounds = slope_bounds_of(c);
  const DTypeResult common = common_dtype(bounds, c.defaults);
  if (!common.ok() || !(is_integral(common.dtype()) || is_bool(common.dtype())))
    return std::nullopt;
  const auto whole = [](const Number& number) {
    return static_cast<std::uint64_t>(number_to<std::int64_t>(number));
  };
  const auto sum = static_cast<std::int64_t>(whole(bounds.lower) + whole(bounds.upper));
  const double total = is_bool(common.dtype()) ? sum != 0 : static_cast<double>(sum);
  // the tensor of the default dtype, divided by a number
  const double slope = rounded(c.defaults.floating, rounded(c.defaults.floating, total) / 2);
  return in_the_dtype(c, right,
                      [slope]<class T>(T x) -> T { return x > 0 ? x : x * static_cast<T>(slope); });
}

std::optional<Answer> rrelu_bounds_promote(const Case& c, const Answer&) {
  const DTypeResult common = common_dtype(slope_bounds_of(c), c.defaults);
  if (common.ok() && common.dtype() != DType::kUInt64) return std::nullopt;  // which add lacks
  return refusal();
}

std::optional<Answer> rrelu_in_place_of_infinite_bounds(const Case& c, const Answer&) {
  const SlopeBounds bounds = slope_bounds_of(c);
  const auto low = number_to<double>(bounds.lower), high = number_to<double>(bounds.upper);
  if (c.form != Form::kInPlace || !(low <= high) || (std::isfinite(low) && std::isfinite(high)))
    return std::nullopt;
  Case leaky = c;
  const FoundOp found = find_callable("leaky_relu_");
  leaky.op = found.op;
  leaky.overload = found.overload;
  leaky.arguments = {c.arguments[0],
                     {.tag = Operand::Tag::kNumber, .number = Number((low + high) / 2)}};
  return ours_of(leaky);
}

std::optional<Answer> power_of_an_unrounded_exponent(const Case& c, const Answer& right) {
  const auto common = common_among(c, DTypeSet(DType::kFloat32) | DTypeSet(DType::kBFloat16));
  const Operand& exponent = c.arguments[1];
  if (!common || exponent.tag != Operand::Tag::kNumber) return std::nullopt;
  const double power = number_to<double>(exponent.number);
  auto values = loop_values<float>(c, 0, right.sizes, *common, DType::kFloat32);
  const auto in_body = elements<float>(right.dtype, right.bytes, DType::kFloat32);
  const std::vector<bool> body = in_vector_body(c, *common, values.size());
  if (values.size() != in_body.size()) return std::nullopt;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        body[i] ? in_body[i] : static_cast<float>(std::pow(static_cast<double>(values[i]), power));
  return with_values(right, *common, cast(DType::kFloat32, bytes_of(values), *common));
}

std::optional<Answer> isclose_with_an_unrounded_rtol(const Case& c, const Answer& right) {
  const DType own = dtype_of(c.arguments[0]);
  const DType dtype = is_floating(own) ? own : c.defaults.floating;
  const int rtol = c.schema().find("rtol"), atol = c.schema().find("atol");
  if (!is_reduced(dtype) || is_complex(own) || c.arguments[rtol].tag != Operand::Tag::kNumber ||
      c.arguments[atol].tag != Operand::Tag::kNumber)
    return std::nullopt;
  Case equal = c;
  equal.arguments[rtol].number = equal.arguments[atol].number = Number(0.0);
  Answer close = ours_of(equal);
  if (close.bytes.size() != right.bytes.size()) return std::nullopt;
  const auto factor = number_to<float>(c.arguments[rtol].number);
  const double term = rounded(dtype, number_to<double>(c.arguments[atol].number));
  const auto self = loop_values<float>(c, 0, right.sizes, dtype, DType::kFloat32);
  const auto other = loop_values<float>(c, 1, right.sizes, dtype, DType::kFloat32);
  for (std::size_t i = 0; i < self.size(); ++i) {
    const double allowed = rounded(dtype, std::abs(rounded(dtype, other[i] * factor)) + term);
    const double error = std::abs(rounded(dtype, self[i] - other[i]));
    if (std::isfinite(error) && error <= allowed) close.bytes[i] = std::byte{1};
  }
  return close;
}

}  // namespace upcast
