#include "oracle/truth/truth_engine.h"

#include <fmt/format.h>

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/cpu/walk.h"
#include "impl/ops/result_dtypes.h"

namespace upcast::truth {
namespace {

void convert(DType from, const std::byte* element, DType to, std::byte* result) {
  cast_elements(from, element, to, result, 1);
}

/// Reads an element as the common dtype holds it.
double load(DType dtype, const std::byte* element, DType common) {
  std::byte rounded[16];
  double value = 0;
  convert(dtype, element, common, rounded);
  convert(common, rounded, DType::kFloat64, reinterpret_cast<std::byte*>(&value));
  return value;
}

void store(double value, DType common, DType dtype, std::byte* element) {
  std::byte rounded[16];
  convert(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), common, rounded);
  convert(common, rounded, dtype, element);
}

/// How many elements lie between the first and the last one of an operand.
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

}  // namespace

std::string why_no_truth(const Op& op, const Call& call, DType common) {
  const Definition* definition = find_definition(op.spec->name);
  if (definition == nullptr) return fmt::format("{} has no truth yet", op.spec->name);
  if (!is_floating(common) || common == DType::kFloat8E8M0FNU) return fmt::format("no truth over {} yet", name(common));
  if (definition->applies != nullptr && !definition->applies(call))
    return std::string(definition->without);
  return "";
}

void TruthEngine::reset() {
  ran_.clear();
  missing_.clear();
  values_.clear();
}

Fault TruthEngine::run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) {
  ran_.push_back(&op);
  if (missing_.empty()) missing_ = why_no_truth(op, call, common);
  const std::int64_t n = numel(plan.sizes);
  if (!missing_.empty() || n == 0) return {};
  const Definition& definition = *find_definition(op.spec->name);
  const KernelEntry& entry = op.kernels[code(compute_dtype(common))];
  check(plan.output_count == 1 && entry.result == FunctorResult::kSame,
        "an op with a truth has one result of the common dtype");

  std::array<double, kMaxInputs + 4> x{};
  std::size_t arguments = static_cast<std::size_t>(plan.input_count);
  if (definition.attributes != nullptr)
    for (const double attribute : definition.attributes(call, common))
      x.at(arguments++) = attribute;

  Evaluator evaluate(definition, common);
  const PlanOperand& output = plan.outputs[0];
  values_.assign(extent(plan.sizes, output), {});
  Walk<kMaxInputs> in(plan.sizes, std::span(plan.inputs).first(plan.input_count), 0);
  Walk<kMaxOutputs> out(plan.sizes, std::span(plan.outputs).first(1), 0);
  constexpr Block kOne{.columns = 1};
  for (std::int64_t i = 0; i < n; ++i) {
    for (int operand = 0; operand < plan.input_count; ++operand)
      x[operand] = load(plan.inputs[operand].dtype, in.pointer(operand), common);
    const Value value = evaluate(std::span(x).first(arguments));
    if (!value.decided && missing_.empty()) missing_ = "undecidable at the precision within reach";
    store(value.rounded, common, output.dtype, out.pointer(0));
    values_[static_cast<std::size_t>(out.pointer(0) - output.data) / itemsize(output.dtype)] =
        value;
    in.advance(kOne);
    out.advance(kOne);
  }
  count(evaluate.decided(), decided_);
  return {};
}

}  // namespace upcast::truth
