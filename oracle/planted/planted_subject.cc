// Makes the engine and the rules of a planted bug.
#include <utility>

#include "impl/core/error.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/catalogue.h"
#include "impl/tensor/tensor.h"
#include "oracle/impl_subject.h"
#include "oracle/planted/broken_rules.h"
#include "oracle/planted/planted_bugs.h"

namespace upcast {
namespace {

bool is_strided(const PlanOperand& operand) {
  return !operand.strides.empty() && operand.strides.back() > itemsize(operand.dtype);
}

void run_backwards(const IteratorPlan& plan, PlanOperand& operand) {
  operand.data += (plan.sizes.back() - 1) * operand.strides.back();
  operand.strides.back() = -operand.strides.back();
}

/// Runs a plan of the CPU's engine with one mistake in it.
class PlantedEngine : public Engine {
 public:
  explicit PlantedEngine(const PlantedBug& bug) : bug_(bug) {}

  Memory& memory() override { return engine_.memory(); }

  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) override {
    const bool meant = (bug_.where.op.empty() || bug_.where.op == op.spec->name) &&
                       bug_.where.commons.contains(common);
    if (!meant) return engine_.run(op, call, common, plan);
    if (const auto* other = std::get_if<OtherKernel>(&bug_.mistake))
      return engine_.run(*find_callable(other->callable).op, call, common, plan);
    IteratorPlan wrong = plan;
    if (std::holds_alternative<SwappedInputs>(bug_.mistake))
      std::swap(wrong.inputs[0], wrong.inputs[1]);
    if (const auto* read = std::get_if<ReadAs>(&bug_.mistake))
      for (int i = 0; i < wrong.input_count; ++i)
        if (wrong.inputs[i].dtype == read->from && read->from != common)
          wrong.inputs[i].dtype = read->to;
    if (const auto* written = std::get_if<WrittenAs>(&bug_.mistake))
      for (int i = 0; i < wrong.output_count; ++i)
        if (wrong.outputs[i].dtype == written->from && written->from != common)
          wrong.outputs[i].dtype = written->to;
    if (const auto* mistake = std::get_if<StrideMistake>(&bug_.mistake)) mislay(*mistake, wrong);
    const Fault fault = engine_.run(op, call, common, wrong);
    const auto* tail = std::get_if<TailMistake>(&bug_.mistake);
    if (tail == nullptr || fault.zero_division) return fault;
    const IteratorPlan again = tail_of(*tail, plan);
    return again.output_count == 0 ? fault : engine_.run(op, call, common, again);
  }

 private:
  static void mislay(StrideMistake mistake, IteratorPlan& plan) {
    const std::size_t rank = plan.sizes.size();
    PlanOperand& first = plan.inputs[0];
    PlanOperand& second = plan.inputs[1];
    const bool two = plan.input_count > 1 && second.dtype != DType::kUndefined;
    if (rank == 0 || plan.input_count == 0 || first.dtype == DType::kUndefined) return;
    switch (mistake) {
      case StrideMistake::kSlowestStands:
        if (rank > 1 && two) second.strides.front() = 0;
        break;
      case StrideMistake::kFastestRunsBackwards:
        if (rank > 2) run_backwards(plan, first);
        break;
      case StrideMistake::kStandsNextToExpanded:
        for (std::size_t d = 0; two && rank > 1 && d < rank; ++d)
          if (second.strides[d] == 0) first.strides[d] = 0;
        break;
      case StrideMistake::kSwapsEqualSizes:
        if (rank > 1 && plan.sizes[rank - 1] == plan.sizes[rank - 2])
          std::swap(first.strides[rank - 1], first.strides[rank - 2]);
        break;
      case StrideMistake::kStandsNextToStridedOut:
        if (is_strided(plan.outputs[0])) first.strides.back() = 0;
        break;
      case StrideMistake::kStridedRunsBackwards:
        if (is_strided(first)) run_backwards(plan, first);
        break;
    }
  }

  /// The plan that computes the tail's elements a second time, from the neighbours of one input. It
  /// has no outputs if there is no tail.
  static IteratorPlan tail_of(const TailMistake& mistake, IteratorPlan plan) {
    const std::size_t rank = plan.sizes.size();
    const std::size_t d = mistake.outermost ? 0 : rank - 1;
    const bool has_input =
        mistake.input < plan.input_count && plan.inputs[mistake.input].dtype != DType::kUndefined;
    if (rank < (mistake.outermost ? 2U : 1U) || !has_input) return {};
    const std::int64_t size = plan.sizes[d];
    const std::int64_t rest = size % mistake.every;
    const std::int64_t length = mistake.whole ? (rest == 0 ? 1 : 0) : rest;
    if (length == 0 || size <= length) return {};
    const auto advance = [&](PlanOperand& operand) {
      operand.data += (size - length) * operand.strides[d];
    };
    for_each_operand(plan, advance);
    PlanOperand& late = plan.inputs[mistake.input];
    late.data -= late.strides[d];
    plan.sizes[d] = length;
    return plan;
  }

  const PlantedBug& bug_;
  CpuEngine engine_;
};

Rules rules_of(const PlantedBug& bug) {
  if (const auto* without = std::get_if<WithoutRule>(&bug.mistake))
    return rules_without(without->rule);
  if (const auto* cell = std::get_if<WrongCell>(&bug.mistake))
    return kPyTorchRules.with_cell(cell->a, cell->b, cell->wrong);
  return kPyTorchRules;
}

/// The subject with a planted bug. It owns the rules to which its implementation refers.
class PlantedSubject : public Subject {
 public:
  explicit PlantedSubject(const PlantedBug& bug)
      : bug_(bug),
        rules_(rules_of(bug)),
        impl_(rules_, std::make_unique<PlantedEngine>(bug), {}, Device::kCpu) {}
  void answer(const Case& c, Answer& answer) override { impl_.answer(c, answer); }
  Storages storages(const Case& c) override { return impl_.storages(c); }
  std::map<std::string, std::string> versions() const override {
    return {{"impl", "planted"}, {"impl.bug", std::string(bug_.name)}};
  }

 private:
  const PlantedBug& bug_;
  Rules rules_;
  ImplSubject impl_;
};

}  // namespace

std::unique_ptr<Subject> make_planted_subject(const Side& side) {
  std::string known;
  for (const PlantedBug& bug : planted_bugs()) {
    if (bug.name == side.setting("bug")) return std::make_unique<PlantedSubject>(bug);
    known += (known.empty() ? "" : ", ") + std::string(bug.name);
  }
  throw UsageError("there is no bug for '" + to_string(side) +
                   "'; write planted?bug=NAME with one of " + known);
}

void register_planted_subjects() {
  register_subject("planted", &make_planted_subject);
  register_subject("dying", &make_dying_subject);
}

}  // namespace upcast
