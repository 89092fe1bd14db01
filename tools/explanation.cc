#include "tools/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/values.h"
#include "impl/iterator/split_32bit.h"

namespace upcast::tools {
namespace {

std::string dims_text(const Dims& dims) { return fmt::format("[{}]", fmt::join(dims, ",")); }

TypedOperand typed(const Operand& operand) {
  if (operand.tag == Operand::Tag::kNumber) return {operand.number.dtype(), Kind::kWrapped};
  if (operand.tag != Operand::Tag::kTensor) return {};
  return {operand.dtype, operand.sizes.empty() ? Kind::kZeroDim : Kind::kDim};
}

/// The text of an operand with its values: "int32[3]{7,-5,3}", "5.5". An operand that shares the
/// storage of another one shows that one's values.
std::string value_text(const Case& c, int position) {
  const Operand& operand = c.operand(position);
  const bool has_values = operand.tag == Operand::Tag::kTensor && operand.shares == kOwnStorage;
  if (!has_values) return print_operand(operand);
  Answer shown{.tag = Answer::Tag::kTensor, .dtype = operand.dtype, .sizes = operand.sizes};
  shown.bytes = operand_values(c, position);
  return to_text(shown);
}

std::int64_t most_elements(const Case& c) {
  std::int64_t most = numel(broadcast_shape(c).value_or(Dims{0}));
  for (const Operand& operand : c.arguments) most = std::max(most, element_span(operand));
  return std::max({most, element_span(c.out), element_span(c.second_out)});
}

/// The case with all its operands on the meta device, where nothing has values.
Case without_values(Case c) {
  c.device = Device::kMeta;
  for (Operand& operand : c.arguments) operand.device.reset();
  c.out.device.reset();
  c.second_out.device.reset();
  return c;
}

std::string why_not_entered(const Explanation& told, bool promotes) {
  return !promotes                          ? "takes no part in promotion"
         : told.promotion().keeps_one_dtype ? "has the dtype that all inputs have"
                                            : "takes no part: it enters no slot";
}

std::string why_combined(const PromotionTrace::Combined& slots) {
  const DTypeResult empty(DType::kUndefined);
  for (const DTypeResult error : {slots.higher, slots.lower, slots.result})
    if (!error.ok()) return std::string(describe(error.error()));
  if (slots.rule != Rule::kCount) return std::string(describe(slots.rule));
  if (slots.lower != empty) return "the slot of higher priority is empty";
  return slots.higher == empty ? "both slots are empty" : "the slot of lower priority is empty";
}

std::string cast_text(const PromotionTrace& cast) {
  const Rule last = cast.rules().back();
  const bool refused = last >= Rule::kComplexNeverCastsToReal;
  return fmt::format("{} {} to the output's {}{}{}", name(cast.cast_from),
                     refused ? "does not cast" : "casts", name(cast.cast_to), refused ? ": " : "",
                     refused ? describe(last) : "");
}

std::string dtypes_text(const CallTrace& trace) {
  if (!trace.promoted) return "a composition";
  return fmt::format("common {}, result {}", name(trace.promoted->common),
                     name(trace.promoted->result));
}

std::string output_text(const StepTrace& trace) {
  const StepTrace::Operand& output = trace.outputs[0];
  if (output.dtype == DType::kUndefined) return "to be allocated";
  return output.read_write ? "also an input: it is not resized"
                           : "given, of shape " + dims_text(output.sizes);
}

std::string shapes_text(const StepTrace& trace) {
  std::vector<std::string> shapes;
  for (const StepTrace::Operand& input : trace.inputs)
    if (input.dtype != DType::kUndefined) shapes.push_back(dims_text(input.sizes));
  return fmt::format("{} from {}", dims_text(trace.shape), fmt::join(shapes, " and "));
}

std::string loops_text(const IteratorPlan& plan) {
  std::vector<std::string> strides;
  for_each_operand(
      plan, [&](const PlanOperand& operand) { strides.push_back(dims_text(operand.strides)); });
  return fmt::format("{}, strides in bytes {}", dims_text(plan.sizes), fmt::join(strides, " "));
}

/// What a step of the iterator found, in words; "" if it had nothing to do. Only for steps that did
/// not refuse.
std::string found_text(const CallTrace& call, Step step) {
  const StepTrace& trace = call.steps;
  switch (step) {
    case Step::kOutput:
      return output_text(trace);
    case Step::kOverlap:
      return "none found";
    case Step::kShape:
      return shapes_text(trace);
    case Step::kResizing: {
      const StepTrace::Operand& output = trace.outputs[0];
      const bool resized = output.dtype != DType::kUndefined && output.sizes != trace.shape;
      return resized ? fmt::format("the output becomes {}", dims_text(trace.shape)) : "";
    }
    case Step::kDTypes:
      return dtypes_text(call);
    case Step::kDevices:
      if (trace.device == Device::kCpu) return "";
      return fmt::format("{}: operands are converted in the loop, not copied first",
                         name(trace.device));
    case Step::kFastSetup:
      return std::string(name(trace.fast_setup));
    case Step::kOrder:
      return fmt::format("dimensions {}, fastest first", fmt::join(trace.order, ","));
    case Step::kResult: {
      const StepTrace::Operand& result = trace.results[0];
      return fmt::format("{}{}, strides {}", name(result.dtype), dims_text(result.sizes),
                         dims_text(result.strides));
    }
    case Step::kLoops:
      return loops_text(trace.plan);
    default:
      return "";
  }
}

/// Whether a GPU's kernel gets the operand as an argument, not from memory: a number, or a zero-dim
/// tensor on the CPU.
bool is_kernel_argument(const Case& c, const Operand& operand) {
  return operand.tag == Operand::Tag::kNumber ||
         device_of(c, operand, Device::kCpu) == Device::kCpu;
}

/// How each operand gets from memory into the functor, in words: its dtype, and the dtypes that it
/// is converted to.
std::string ways_text(const Case& c, const CallTrace& call) {
  const IteratorPlan& plan = call.steps.plan;
  const DType common = call.promoted->common, computed = compute_dtype(common);
  std::vector<std::string> ways;
  for (int i = 0; i < plan.input_count; ++i) {
    const PlanOperand& input = plan.inputs[static_cast<std::size_t>(i)];
    const std::string_view parameter = c.op->spec->operands[static_cast<std::size_t>(i)];
    if (input.dtype == DType::kUndefined) continue;
    std::string way = fmt::format("{} {}", parameter, name(input.dtype));
    if (input.through != input.dtype && input.through != computed)
      way += fmt::format(" to {}", name(input.through));
    if (computed != input.dtype) way += fmt::format(" to {}", name(computed));
    if (input.through == computed && common != computed && input.dtype != computed)
      way += fmt::format(", not rounded to {}", name(common));
    const int at = c.schema().find(parameter);
    if (call.steps.device == Device::kCuda &&
        is_kernel_argument(c, c.arguments[static_cast<std::size_t>(at)]))
      way += ", passed to the kernel as an argument, outside the loop";
    ways.push_back(way);
  }
  return fmt::format("{}", fmt::join(ways, "; "));
}

void add_parts(const CallTrace& call, Rows& rows) {
  for (const CallTrace& part : call.parts) {
    const StepTrace::Taken* const refusing = part.steps.refusing();
    rows.push_back(
        {"calls " + part.callable,
         refusing ? fmt::format("{} refuses: {}", name(refusing->step), refusing->refused->detail)
                  : dtypes_text(part)});
    add_parts(part, rows);
  }
}

}  // namespace

Explanation::Explanation(const Case& explained)
    : c(explained),
      elements(most_elements(explained)),
      traced(trace_case(has_values() ? explained : without_values(explained))) {}

PromotionKind Explanation::kind() const { return promotion().kind.value_or(c.op->spec->promotion); }

std::vector<OperandRow> Explanation::operands() const {
  std::vector<OperandRow> rows;
  const OpSpec& spec = *c.op->spec;
  auto next = promotion().entries().begin();
  const auto add = [&](std::size_t at, bool promotes) {
    const Operand& operand = c.arguments[at];
    OperandRow row{
        .name = std::string(c.schema().parameters[at].name),
        .text = operand.tag == Operand::Tag::kAbsent ? "absent" : print_operand(operand),
        .value = has_values() ? value_text(c, static_cast<int>(at)) : print_operand(operand),
        .operand = typed(operand)};
    const bool enters =
        promotes && next != promotion().entries().end() && next->operand == row.operand;
    if (enters) row.entered = &*next++;
    row.why = enters ? std::string(describe(row.entered->rule)) : why_not_entered(*this, promotes);
    rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < spec.operands.size() && !spec.operands[i].empty(); ++i)
    if (const int at = c.schema().find(spec.operands[i]); at >= 0)
      add(static_cast<std::size_t>(at), spec.promotes(i));
  // other operands that enter slots: those of a function of dtypes, the bounds of clamp, the
  // exponent 2
  for (std::size_t at = 0; at < c.arguments.size(); ++at) {
    if (next == promotion().entries().end()) break;
    const std::string_view parameter = c.schema().parameters[at].name;
    const bool named = std::any_of(rows.begin(), rows.end(),
                                   [&](const OperandRow& row) { return row.name == parameter; });
    if (!named && typed(c.arguments[at]) == next->operand) add(at, true);
  }
  for (; next != promotion().entries().end(); ++next)
    rows.push_back({.name = "(the op's)",
                    .text = "number",
                    .operand = next->operand,
                    .entered = &*next,
                    .why = std::string(describe(next->rule))});
  return rows;
}

Rows Explanation::values() const {
  Rows rows;
  const auto add = [&](std::string_view parameter, int position) {
    const Operand::Tag tag = c.operand(position).tag;
    if (tag == Operand::Tag::kTensor || tag == Operand::Tag::kNumber)
      rows.push_back({std::string(parameter),
                      has_values() ? value_text(c, position) : print_operand(c.operand(position))});
  };
  for (std::size_t at = 0; at < c.arguments.size(); ++at)
    add(c.schema().parameters[at].name, static_cast<int>(at));
  add("out", kOutPosition);
  add("second_out", kSecondOutPosition);
  return rows;
}

std::vector<CombineRow> Explanation::combinations() const {
  std::vector<CombineRow> rows;
  for (const PromotionTrace::Combined& slots : promotion().combinations()) {
    const bool first = rows.empty();
    rows.push_back({first ? "zero_dim" : "dim", first ? "wrapped" : "the outcome", slots,
                    why_combined(slots)});
  }
  return rows;
}

std::vector<std::string> Explanation::then() const {
  std::vector<std::string> sentences;
  if (promotion().keeps_one_dtype)
    sentences.emplace_back(
        "all inputs have the same dtype and at least one has dimensions: the common dtype is that "
        "dtype");
  for (const Rule rule : promotion().rules()) {
    if (rule == Rule::kOutputMustBeCastable) {
      sentences.push_back(cast_text(promotion()));
      break;  // a later rule that forbids the cast would repeat this sentence
    }
    if (rule > Rule::kAllZeroDimComputesResultType) sentences.emplace_back(describe(rule));
  }
  return sentences;
}

Promoted Explanation::dtypes() const {
  return traced.trace.promoted.value_or(Promoted{DType::kUndefined, traced.answer.dtype});
}

Rows Explanation::steps() const {
  Rows rows;
  for (const StepTrace::Taken& taken : traced.trace.steps.taken) {
    const std::string text = taken.refused ? fmt::format("refuses: {}", taken.refused->detail)
                                           : found_text(traced.trace, taken.step);
    if (taken.step == Step::kParts || taken.step == Step::kCopyOut) add_parts(traced.trace, rows);
    if (taken.step == Step::kLoops) rows.push_back({"reads", ways_text(c, traced.trace)});
    if (!text.empty()) rows.push_back({std::string(name(taken.step)), text});
  }
  if (traced.trace.steps.device == Device::kCuda && traced.trace.steps.refusing() == nullptr) {
    const std::size_t pieces = split_32bit(traced.trace.steps.plan).size();
    rows.push_back({"32-bit", pieces == 1 ? "one piece" : fmt::format("{} pieces", pieces)});
  }
  return rows;
}

std::vector<std::string> iterator_flags(PromotionKind kind) {
  const KindInfo& row = info(kind);
  std::vector<std::string> flags;
  if (row.check_all_same_dtype) flags.emplace_back("check_all_same_dtype");
  if (row.promote_inputs_to_common_dtype) flags.emplace_back("promote_inputs_to_common_dtype");
  if (row.promote_integer_inputs_to_float) flags.emplace_back("promote_integer_inputs_to_float");
  if (row.cast_common_dtype_to_outputs) flags.emplace_back("cast_common_dtype_to_outputs");
  if (row.enforce_safe_casting_to_output) flags.emplace_back("enforce_safe_casting_to_output");
  if (row.static_dtype != DType::kUndefined) {
    flags.push_back(fmt::format("declare_static_dtype({})", name(row.static_dtype)));
  }
  return flags;
}

std::string text_of(DTypeResult result) {
  if (result == DTypeResult(DType::kUndefined)) return "-";
  return result.ok() ? std::string(name(result.dtype())) : "none";
}

}  // namespace upcast::tools
