#include "oracle/truth/whole_compositions.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/truth/definition_rows.h"
#include "oracle/truth/evaluate.h"
#include "oracle/truth/rounding.h"
#include "oracle/truth/steps.h"

namespace upcast::truth {
namespace {

/// x: input, target, log_input, full, eps. Full: with Stirling's term where the target is above 1.
struct PoissonNllLoss {
  template <class T>
  T operator()(std::span<const T> x) const {
    constexpr double kTwoPi = 6.283185307179586476925286766559;
    const T &input = x[0], &target = x[1];
    const T loss =
        is_positive(x[2]) ? exp(input) - target * input : input - target * log(input + x[4]);
    if (!is_positive(x[3]) || !is_positive(target - 1.0)) return loss;
    return loss + ((target * log(target) - target) + 0.5 * log(kTwoPi * target));
  }
};

/// What is not finite, and where the logarithm is not: float64's formula.
Special poisson_special(Doubles x) {
  const bool is_finite = std::isfinite(x[0]) && std::isfinite(x[1]);
  if (is_finite && (x[2] > 0 || x[0] + x[4] > 0)) return std::nullopt;
  const double value = PoissonNllLoss{}(x);
  return std::isnan(value) ? kNaN : value;
}

std::vector<double> poisson_attributes(const Call& call, DType common) {
  const auto flag = [&call](std::string_view name, bool otherwise) {
    return number_to<bool>(call.number(name, otherwise)) ? 1.0 : 0.0;
  };
  return {flag("log_input", true), flag("full", false),
          in_compute_dtype(call.number("eps", 1e-8), common)};
}

constexpr Definition kWholes[] = {
    stepwise_formula("poisson_nll_loss", "torch.nn.PoissonNLLLoss", PoissonNllLoss{},
                     poisson_special, poisson_attributes),
};

const Definition* find_whole(std::string_view op) {
  for (const Definition& row : kWholes)
    if (row.op == op) return &row;
  return nullptr;
}

/// Whether each step that an operand enters is taken in `dtype`.
bool enters_as(const Operand& operand, DType dtype, DType default_dtype) {
  if (operand.tag != Operand::Tag::kTensor) return false;
  return is_floating(operand.dtype) ? operand.dtype == dtype : default_dtype == dtype;
}

}  // namespace

bool evaluate_whole(const Case& c, Answer& answer) {
  const Definition* const whole = find_whole(c.op->spec->name);
  const DType dtype = answer.dtype;
  if (whole == nullptr || c.form != Form::kFunctional || !kFullFloats.contains(dtype)) return false;
  std::vector<std::vector<double>> operands;
  for (const std::string_view name : c.op->spec->operands) {
    if (name.empty()) break;
    const int position = c.schema().find(name);
    const Operand& operand = c.operand(position);
    if (!enters_as(operand, dtype, c.defaults.floating)) return false;
    const std::vector<std::byte> values = broadcast_values(c, position, answer.sizes);
    std::vector<double>& exact =
        operands.emplace_back(values.size() / static_cast<std::size_t>(itemsize(operand.dtype)));
    cast_elements(operand.dtype, values.data(), DType::kFloat64,
                  reinterpret_cast<std::byte*>(exact.data()),
                  static_cast<std::int64_t>(exact.size()));
  }
  CaseCall maker;
  const std::vector<double> attributes = whole->attributes(maker.make(c), dtype);
  Evaluator evaluate(*whole, dtype);
  std::vector<double> rounded, x;
  answer.leeway.clear();
  for (std::size_t i = 0; i < operands[0].size(); ++i) {
    x.clear();
    bool is_exact = true;
    for (const std::vector<double>& operand : operands) {
      x.push_back(operand[i]);
      // an integer with more digits than the dtype
      is_exact =
          is_exact && (std::isnan(operand[i]) || round_once(dtype, operand[i]) == operand[i]);
    }
    x.insert(x.end(), attributes.begin(), attributes.end());
    const Value value = evaluate(x);
    rounded.push_back(value.rounded);
    answer.leeway.push_back(value.decided && is_exact ? value.leeway : kInf);
  }
  answer.rest.clear();
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(rounded.data()), dtype,
                answer.bytes.data(), static_cast<std::int64_t>(rounded.size()));
  return true;
}

}  // namespace upcast::truth
