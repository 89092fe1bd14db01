#include "tools/iterator_trace.h"

#include <fmt/format.h>

#include "impl/iterator/allocate_outputs.h"
#include "impl/iterator/fast_setup.h"
#include "impl/iterator/split_32bit.h"
#include "impl/ops/plan_call.h"
#include "oracle/case_call.h"

namespace upcast::tools {
namespace {

std::string text_of(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

std::string outputs_text(const Case& c) {
  switch (c.form) {
    case Form::kInPlace:
      return "self, which is read too: it is not resized";
    case Form::kOut:
      return fmt::format("given, of shape {}", text_of(c.out.sizes));
    case Form::kFunctional:
      break;
  }
  return "to be allocated";
}

std::string shapes_text(const CallPlan& planned) {
  std::vector<std::string> shapes;
  for (const IteratorOperand& input : planned.iteration.inputs())
    if (input.defined()) shapes.push_back(text_of(input.tensor->sizes));
  return fmt::format("{} from {}", text_of(planned.iteration.shape), fmt::join(shapes, " and "));
}

std::string loops_text(const IteratorPlan& plan) {
  std::vector<std::string> strides;
  for_each_operand(
      plan, [&](const PlanOperand& operand) { strides.push_back(text_of(operand.strides)); });
  return fmt::format("{}, strides in bytes {}", text_of(plan.sizes), fmt::join(strides, " "));
}

/// The name of the step that a refusal comes from.
std::string refusing_step(RejectionCode code) {
  switch (code) {
    case RejectionCode::kMemoryOverlap:
      return "overlap";
    case RejectionCode::kShapeMismatch:
      return "shape";
    case RejectionCode::kDeviceMismatch:
      return "devices";
    default:
      return "dtypes";
  }
}

}  // namespace

std::vector<IteratorStep> trace_iterator(const Case& c) {
  CaseCall maker;
  CallPlan planned;
  const Call& call = maker.make(c, kPyTorchRules, nullptr);
  if (c.op->is_composition(call) || c.op->spec->operands[0].empty()) return {};
  const auto refused = plan_call(*c.op, call, planned, nullptr);
  std::vector<IteratorStep> steps{{"output", outputs_text(c)}};
  if (refused) {
    steps.push_back({refusing_step(refused->code), fmt::format("refuses: {}", refused->detail)});
    return steps;
  }
  const Iteration& iteration = planned.iteration;
  steps.push_back({"overlap", c.op->spec->checks_overlap ? "none that is seen" : "not looked for"});
  steps.push_back({"shape", shapes_text(planned)});
  if (c.form == Form::kOut && c.out.sizes != iteration.shape)
    steps.push_back({"resizing", fmt::format("out becomes {}", text_of(iteration.shape))});
  steps.push_back({"dtypes", fmt::format("common {}, result {}", name(planned.promoted.common),
                                         name(planned.promoted.result))});
  if (iteration.device != Device::kCpu)
    steps.push_back({"devices", fmt::format("{}: no operand is copied to be promoted",
                                            name(iteration.device))});
  steps.push_back({"fast set-up", std::string(name(fast_setup(iteration)))});
  steps.push_back({"order", fmt::format("dimensions {}, fastest first",
                                        fmt::join(reorder_dimensions(iteration), ","))});
  steps.push_back({"result", fmt::format("{}{}, strides {}", name(planned.outputs[0].dtype),
                                         text_of(planned.outputs[0].sizes),
                                         text_of(planned.outputs[0].strides))});
  steps.push_back({"loops", loops_text(planned.plan)});
  const std::size_t pieces = split_32bit(planned.plan).size();
  steps.push_back({"32-bit", pieces == 1 ? "one piece" : fmt::format("{} pieces", pieces)});
  return steps;
}

}  // namespace upcast::tools
