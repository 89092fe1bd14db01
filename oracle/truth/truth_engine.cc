#include "oracle/truth/truth_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/result_dtypes.h"
#include "oracle/truth/complex_definition.h"
#include "oracle/truth/coverage.h"
#include "oracle/truth/element_loop.h"
#include "oracle/truth/integer_definition.h"
#include "oracle/truth/rounding.h"
#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

/// The distance from an operand's first element to its last one in memory, plus one, in elements.
std::size_t extent(const Dims& sizes, const PlanOperand& operand) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) last += (sizes[d] - 1) * operand.strides[d];
  return static_cast<std::size_t>(last / itemsize(operand.dtype)) + 1;
}

void count(const Decided& more, Decided& total) {
  total.special += more.special;
  total.filter += more.filter;
  total.ball += more.ball;
  total.mpfr += more.mpfr;
  total.undecided += more.undecided;
}

/// Converts a value's leeway to an out= of fewer digits. In it, neighbours of the common dtype may
/// become one value, or lie one step apart.
void narrow_leeway(DType out, DType common, Value& value) {
  if (out == common || !is_floating(out) || ulp_of(out, 1) <= ulp_of(common, 1)) return;
  const double rounded = round_once(out, value.rounded);
  double leeway = 0;
  for (const double end : {value.rounded - value.leeway, value.rounded + value.leeway})
    leeway = std::max(leeway, std::abs(round_once(out, end) - rounded));
  value.decided = std::isfinite(leeway);
  if (!value.decided) value.gap = Gap::kOverflow;
  value.leeway = std::max(leeway, std::numeric_limits<double>::denorm_min());
}

Value value_of(Int exact) {
  const auto high = static_cast<double>(exact);
  return {
      .rounded = high, .high = high, .low = static_cast<double>(exact - static_cast<Int>(high))};
}

}  // namespace

/// Whether functors get values with more digits than the common dtype holds.
bool sees_more_digits(const IteratorPlan& plan, bool has_attributes, DType common) {
  if (compute_dtype(common) == common) return false;
  return has_attributes ||
         std::any_of(plan.inputs.begin(), plan.inputs.begin() + plan.input_count,
                     [common](const PlanOperand& input) {
                       return input.through == compute_dtype(common) && input.dtype != common;
                     });
}

void TruthEngine::reset() {
  ran_.clear();
  missing_.clear();
  values_.clear();
  output_ = nullptr;
}

bool TruthEngine::is_copy_of_last(const Op& op, DType common, const IteratorPlan& plan) const {
  return op.spec->name == "copy" && !ran_.empty() && common == common_ &&
         plan.inputs[0].data == output_ && plan.outputs[0].dtype == common;
}

void TruthEngine::carry_values(const IteratorPlan& plan) {
  const std::vector<Value> last = std::move(values_);
  const auto parts = static_cast<std::size_t>(parts_);
  values_.assign(extent(plan.sizes, plan.outputs[0]) * parts, {});
  Walk<1> in(plan.sizes, std::span(plan.inputs).first(1), 0);
  Walk<1> out(plan.sizes, std::span(plan.outputs).first(1), 0);
  const std::int64_t size = itemsize(common_);
  const Block one{.columns = 1};
  for (std::int64_t i = 0; i < numel(plan.sizes); ++i) {
    const auto from = static_cast<std::size_t>((in.pointer(0) - plan.inputs[0].data) / size);
    const auto to = static_cast<std::size_t>((out.pointer(0) - plan.outputs[0].data) / size);
    std::copy_n(&last[from * parts], parts, &values_[to * parts]);
    in.advance(one);
    out.advance(one);
  }
}

Fault TruthEngine::run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) {
  const bool is_open = std::any_of(values_.begin(), values_.end(), [](const Value& value) {
    return !value.decided || value.leeway != 0;
  });
  const bool is_copy = is_copy_of_last(op, common, plan);
  if (!is_copy) ran_.push_back(&op);
  if (missing_.empty() && source_of(op.spec->name, kind_of(common)).empty())
    missing_ = fmt::format("{} over {} has no row", op.spec->name, name(kind_of(common)));
  if (missing_.empty() && is_open && !is_copy)
    missing_ = "a step of the composed op is not decided";
  common_ = common;
  output_ = plan.outputs[0].data;
  if (!missing_.empty() || numel(plan.sizes) == 0) return {};
  if (is_copy) {
    carry_values(plan);
    return CpuEngine().run(op, call, common, plan);  // a copy needs no truth: bytes are copied
  }
  const NumberKind kind = kind_of(common);
  parts_ = kind == NumberKind::kComplex ? 2 : 1;
  values_.assign(extent(plan.sizes, plan.outputs[0]) * static_cast<std::size_t>(parts_), {});
  if (kind == NumberKind::kWhole) return run_integers(op, call, common, plan);
  if (kind == NumberKind::kComplex)
    run_complex(op, call, common, plan);
  else
    run_reals(op, call, common, plan);
  return {};
}

Fault TruthEngine::run_integers(const Op& op, const Call& call, DType common,
                                const IteratorPlan& plan) {
  const IntegerDefinition& definition = *find_integer_definition(op.spec->name);
  const FunctorResult result = op.kernels[code(common)].result;
  check(result == FunctorResult::kSame || result == FunctorResult::kBool,
        "an op over integers has one result");
  const DType rounded = result == FunctorResult::kBool ? DType::kBool : common;
  std::vector<Int> arguments(static_cast<std::size_t>(plan.input_count));
  if (definition.attributes != nullptr)
    for (const Int attribute : definition.attributes(call, common)) arguments.push_back(attribute);
  Fault fault;
  ElementLoop<Int>(common, plan).run([&](std::span<const Int> x, Place place) {
    std::copy(x.begin(), x.end(), arguments.begin());
    const IntegerResult exact = definition.value(arguments, common);
    fault.zero_division |= exact.kind == IntegerResult::Kind::kZeroDivision;
    const Int wrapped = wrap(exact.value, rounded);
    Value& value = values_[static_cast<std::size_t>(place.output)];
    value = value_of(wrapped);
    value.decided = exact.kind == IntegerResult::Kind::kValue;
    if (!value.decided) value.gap = Gap::kUndocumented;
    return Results<Int>{.first = wrapped};
  });
  return fault;
}

void TruthEngine::run_reals(const Op& op, const Call& call, DType common,
                            const IteratorPlan& plan) {
  const Definition& definition = *find_definition(op.spec->name);
  std::vector<double> arguments(static_cast<std::size_t>(plan.input_count));
  if (definition.attributes != nullptr)
    for (const double attribute : definition.attributes(call, common))
      arguments.push_back(attribute);
  const KernelEntry& entry = op.kernels[code(compute_dtype(common))];
  Evaluator evaluate(definition, result_dtypes(entry.result, common, 0).rounded, &memo_);
  const bool rounds_twice = definition.steps == nullptr && entry.result != FunctorResult::kBool &&
                            sees_more_digits(plan, definition.attributes != nullptr, common);
  ElementLoop<double>(common, plan).run([&](std::span<const double> x, Place place) {
    std::copy(x.begin(), x.end(), arguments.begin());
    Value value = evaluate(arguments);
    if (rounds_twice) allow_two_roundings(common, compute_dtype(common), value);
    if (value.leeway != 0 && value.decided) narrow_leeway(plan.outputs[0].dtype, common, value);
    values_[static_cast<std::size_t>(place.output)] = value;
    return Results<double>{.first = value.rounded,
                           .second = definition.second != nullptr ? definition.second(x) : 0};
  });
  count(evaluate.decided(), decided_);
}

void TruthEngine::run_complex(const Op& op, const Call& call, DType common,
                              const IteratorPlan& plan) {
  const ComplexDefinition& definition = *find_complex_definition(op.spec->name);
  std::vector<ComplexDouble> arguments(static_cast<std::size_t>(plan.input_count));
  if (definition.attributes != nullptr)
    for (const ComplexDouble attribute : definition.attributes(call, common))
      arguments.push_back(attribute);
  const FunctorResult result = op.kernels[code(compute_dtype(common))].result;
  const DType part = to_real(result_dtypes(result, common, 0).rounded);
  ComplexEvaluator evaluate(definition, part, to_real(compute_dtype(common)), &complex_memo_);
  const auto element = [&](std::span<const ComplexDouble> x, Place place) {
    std::copy(x.begin(), x.end(), arguments.begin());
    auto [re, im] = evaluate(arguments);
    for (Value* value : {&re, &im})
      if (value->leeway != 0 && value->decided)
        narrow_leeway(to_real(plan.outputs[0].dtype), part, *value);
    Value* const values = &values_[static_cast<std::size_t>(2 * place.output)];
    values[0] = re;
    values[1] = im;
    return Results<ComplexDouble>{.first = {re.rounded, im.rounded}};
  };
  ElementLoop<ComplexDouble>(common, plan).run(element);
}

}  // namespace upcast::truth
