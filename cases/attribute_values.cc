#include "cases/attribute_values.h"

#include <limits>

#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Operands = std::vector<Operand>;

/// `op` "" is any; a row with an op stands before one without.
struct AttributeRow {
  std::string_view op, parameter;
  Operands typing;  // {}: left to its default; else at least one
  Operands values;  // {}: the same as for typing
};

/// A list of numbers, each as an operand.
template <class... Values>
Operands numbers(Values... values) {
  return {number(values)...};
}
Operands none_and(Operands operands) {
  operands.insert(operands.begin(), kNoneOperand);
  return operands;
}

const std::vector<AttributeRow>& table() {
  static const std::vector<AttributeRow> rows{
      {"add", "alpha", {}, numbers(2, -1, 2.5, 300, true, Complex<double>{1, 2})},
      {"sub", "alpha", {}, numbers(2, -1, 2.5, 300, true, Complex<double>{1, 2})},
      {"rsub", "alpha", {}, numbers(2, -1, 2.5, 300, true, Complex<double>{1, 2})},
      {"addcmul", "value", {}, numbers(1, 2, 2.5, -1, 0)},
      {"addcdiv", "value", {}, numbers(1, 2, 2.5, -1, 0)},
      {"div", "rounding_mode", {kNoneOperand, text("trunc"), text("floor")}, {}},
      {"divide", "rounding_mode", {kNoneOperand, text("trunc"), text("floor")}, {}},
      // -1 beside the least integer kills LibTorch (known differences); divisors without it
      {"div", "other", {}, numbers(0, -0.0, 1, -3, 2, 300, 2.5, 0.1, 1e30, true, kNaN, kInfinity)},
      {"divide", "other", {}, numbers(2, -3, 2.5)},
      {"", "reduction", numbers(0), {}},  // Mean and Sum are not elementwise
      {"poisson_nll_loss", "log_input", numbers(true, false), {}},
      {"poisson_nll_loss", "full", numbers(false), {}},
      {"poisson_nll_loss", "eps", numbers(1e-8), {}},
      {"huber_loss", "delta", {}, numbers(1.0, 0.5, 2.0)},
      {"smooth_l1_loss", "beta", {}, numbers(1.0, 0.5, 0.0)},
      {"", "decimals", numbers(0, 2, -1), numbers(0, 1, 3, -2, 20, 400)},
      {"clamp_min", "min", {}, numbers(-3, 0.5, 0, 300, kNaN, kInfinity)},
      {"clamp_max", "max", {}, numbers(2, 1.5, 0, -300, kNaN, -kInfinity)},
      {"", "min", {}, none_and(numbers(-3, 0.5, kNaN, kInfinity))},
      {"", "max", {}, none_and(numbers(2, 1.5, kNaN, -kInfinity))},
      {"hardtanh_backward", "min_val", numbers(true), numbers(-1, 0, 2)},
      {"", "min_val", {}, numbers(-1, 0, 2, -1.5)},
      {"", "max_val", {}, numbers(1, 1.5, -2, 6)},
      {"nan_to_num", "nan", {}, none_and(numbers(0.5, 1e30))},
      {"nan_to_num", "posinf", {}, none_and(numbers(0.5, 1e30))},
      {"nan_to_num", "neginf", {}, none_and(numbers(-0.5))},
      {"mvlgamma", "p", numbers(1, 3), numbers(1, 2, 3, 5, 0)},
      {"polygamma", "n", numbers(0, 1, 3), numbers(0, 1, 2, 3, 10, -1)},
      {"", "approximate", {text("none"), text("tanh")}, {}},
      {"", "lambd", {}, numbers(0.5, 0, 2, -1, kInfinity)},
      {"elu", "alpha", {}, numbers(1, 0.5, -2, 0)},
      {"celu", "alpha", {}, numbers(1.0, 0.5, -2, 0)},
      {"native_dropout_backward", "scale", numbers(2.5), numbers(1.0, 2.5, 0.5)},
      {"elu_backward", "scale", numbers(3), numbers(1, 3)},
      {"elu", "scale", {}, numbers(1, 2, 0.5)},
      {"elu_backward", "input_scale", numbers(true), numbers(1, 0.5)},
      {"elu", "input_scale", {}, numbers(1, 0.5)},
      {"", "is_result", numbers(false, true), {}},
      {"elu_backward", "alpha", numbers(2.5, Complex<double>{1, 2}), numbers(1, 0.5)},
      {"softplus", "beta", {}, numbers(1, 2, 0.5, -1, 0)},
      {"softplus", "threshold", {}, numbers(20, 0, -3)},
      {"softplus_backward", "beta", {}, numbers(1, 2, 0.5)},
      {"softplus_backward", "threshold", numbers(2.5), numbers(20, 0)},
      {"threshold_backward", "threshold", {}, numbers(0, 1, 2.5, -1, kNaN)},
      {"threshold", "threshold", {}, numbers(0, 2.5, -1, kNaN)},
      {"threshold", "value", {}, numbers(3, 2.5, kNaN)},
      {"leaky_relu_backward", "negative_slope", {}, numbers(0.5, 0, -1, 2)},
      {"leaky_relu_backward", "self_is_result", numbers(false, true), {}},
      {"", "negative_slope", {}, numbers(0.01, 0, -1, 2)},
      {"rrelu", "lower", {}, numbers(0.125, 0)},
      {"rrelu", "upper", {}, numbers(1.0 / 3, 1)},
      {"logit_backward", "eps", {}, none_and(numbers(0.0, 0.25))},
      {"logit", "eps", {}, none_and(numbers(0.0, 1e-6, 0.25, 0.5, -1.0))},
      {"isclose", "rtol", {}, numbers(1e-5, 0.0)},
      {"isclose", "atol", {}, numbers(1e-8, 0.5)},
      {"isclose", "equal_nan", {}, numbers(false, true)},
      {"lerp", "weight", {}, numbers(0, 0.3, 0.5, 1, 2.5, -1, kNaN)},
      {"",
       "exponent",
       {},
       numbers(0, 1, 2, 3, -1, -2, 0.5, -0.5, 2.5, true, kNaN, kInfinity, Complex<double>{1, 2})},
      {"", "value", {}, numbers(0, -1, 300, 2.5, true, kNaN, Complex<double>{1, 2})},
  };
  return rows;
}

const AttributeRow* find_row(const Op& op, const Parameter& parameter) {
  for (const AttributeRow& row : table())
    if (row.parameter == parameter.name && (row.op.empty() || row.op == op.spec->name)) return &row;
  return nullptr;
}

/// What any parameter of a type takes.
Operands plain_values(const Parameter& parameter) {
  if (parameter.type == ParameterType::kOptionalScalar) return none_and(kinds_of_numbers());
  if (!parameter.default_text.empty()) return {};
  switch (parameter.type) {
    case ParameterType::kScalar:
      return kinds_of_numbers();
    case ParameterType::kInt:
      return numbers(1);
    case ParameterType::kFloat:
      return numbers(0.5);
    case ParameterType::kBool:
      return numbers(false);
    default:
      break;
  }
  check(false, "the grids have no value for an attribute: add a row to cases/attribute_values.cc");
  return {};
}

}  // namespace

Operands kinds_of_numbers() { return numbers(true, 3, 2.5, Complex<double>{1, 2}); }

bool is_degree(const Op& op, const Parameter& parameter) {
  return parameter.name == "n" && op.spec->name.find("_polynomial_") != std::string_view::npos;
}

std::vector<double> degrees() { return {2, 0, 1, 3, 5, 2.5, 4, 10, -1, 7, 20, 30}; }

std::vector<Operand> typing_values(const Op& op, const Parameter& parameter) {
  const AttributeRow* row = find_row(op, parameter);
  if (row != nullptr && !row->typing.empty()) return row->typing;
  return plain_values(parameter);
}

std::vector<Operand> plain_values(const Op& op, const Parameter& parameter) {
  std::vector<Operand> values = typing_values(op, parameter);
  if (is_scalar(parameter) && !values.empty()) values = numbers(2, 2.5);
  return values;
}

std::vector<Operand> attribute_values(const Op& op, const Parameter& parameter) {
  if (is_degree(op, parameter)) return numbers(0, 1, 2, 5, 10, 30, 2.5, -1, true);
  const AttributeRow* row = find_row(op, parameter);
  if (row != nullptr) return row->values.empty() ? row->typing : row->values;
  if (parameter.type == ParameterType::kScalar && parameter.default_text.empty())
    return numbers(0, -0.0, 1, -1, 2, 3, 300, 2.5, 0.1, 1e30, true, kNaN, kInfinity,
                   Complex<double>{1, 2});
  return plain_values(parameter);
}

}  // namespace upcast
