#include "oracle/truth/truth_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "impl/cpu/walk.h"
#include "impl/ops/result_dtypes.h"

namespace upcast::truth {
namespace {

constexpr std::int64_t kTile = 512;

/// The elements of one operand along a row, between its dtype and float64; the common dtype, which
/// rounds, lies between.
class Lane {
 public:
  Lane(DType dtype, DType common)
      : dtype_(dtype), common_(common), size_(static_cast<std::int64_t>(itemsize(common))) {}

  void load(const std::byte* elements, std::int64_t stride, std::int64_t n) {
    cast_loop(dtype_, common_, best_capability())(elements, {.column = stride}, rounded_.data(),
                                                  {.column = size_}, {.columns = n});
    cast_elements(common_, rounded_.data(), DType::kFloat64,
                  reinterpret_cast<std::byte*>(values_.data()), n);
  }
  void store(std::byte* elements, std::int64_t stride, std::int64_t n) {
    cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(values_.data()), common_,
                  rounded_.data(), n);
    cast_loop(common_, dtype_, best_capability())(rounded_.data(), {.column = size_}, elements,
                                                  {.column = stride}, {.columns = n});
  }
  double& operator[](std::int64_t i) { return values_[static_cast<std::size_t>(i)]; }

 private:
  DType dtype_, common_;
  std::int64_t size_;
  std::array<std::byte, kTile * 16> rounded_;
  std::array<double, kTile> values_;
};

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
  if (!is_floating(common) || common == DType::kFloat8E8M0FNU)
    return fmt::format("no truth over {} yet", name(common));
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
  common_ = common;
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
  const auto output_size = static_cast<std::int64_t>(itemsize(output.dtype));
  values_.assign(extent(plan.sizes, output), {});
  Walk<kMaxInputs> in(plan.sizes, std::span(plan.inputs).first(plan.input_count), 0);
  Walk<kMaxOutputs> out(plan.sizes, std::span(plan.outputs).first(1), 0);
  std::vector<Lane> lanes;
  for (int i = 0; i < plan.input_count; ++i) lanes.emplace_back(plan.inputs[i].dtype, common);
  Lane results(output.dtype, common);
  for (std::int64_t done = 0; done < n;) {
    const Block block{.columns = std::min(in.left_in_row(), kTile)};
    for (int i = 0; i < plan.input_count; ++i)
      lanes[static_cast<std::size_t>(i)].load(in.pointer(i), in.strides(i).column, block.columns);
    const std::int64_t stride = out.strides(0).column;
    const std::int64_t place = (out.pointer(0) - output.data) / output_size;
    for (std::int64_t i = 0; i < block.columns; ++i) {
      for (std::size_t operand = 0; operand < lanes.size(); ++operand)
        x[operand] = lanes[operand][i];
      const Value value = evaluate(std::span(x).first(arguments));
      if (!value.decided && missing_.empty())
        missing_ = "undecidable at the precision within reach";
      results[i] = value.rounded;
      values_[static_cast<std::size_t>(place + i * (stride / output_size))] = value;
    }
    results.store(out.pointer(0), stride, block.columns);
    in.advance(block);
    out.advance(block);
    done += block.columns;
  }
  count(evaluate.decided(), decided_);
  return {};
}

}  // namespace upcast::truth
