// Properties of traces: a call's trace agrees with its answer.
#include "properties/call_generators.h"
#include "properties/checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

struct Traced {
  Traced(const System& system, const Case& c)
      : plain(system.answer(c)), traced(system.iterator.trace_case(c)) {
    require_same("without and with a trace", plain, traced.answer);
  }
  Answer plain;
  TracedAnswer traced;
};

Finding check_dtypes(const System& system, const Case& c) {
  const Traced both(system, c);
  const std::optional<Promoted>& promoted = both.traced.trace.promoted;
  if (!answered(both.plain) || !promoted) return Finding::kVacuous;
  if (promoted->result != both.plain.dtype)
    RC_FAIL("the trace has the result " + std::string(name(promoted->result)) + ", the answer is " +
            std::string(name(both.plain.dtype)));
  const Outcome<Promoted> alone = promote_case(c);
  if (!alone.ok() || alone.value() != *promoted) RC_FAIL("promotion alone gives other dtypes");
  return Finding::kHolds;
}

/// Whether this step of a call can refuse for this reason.
bool refuses_for(Step step, RejectionCode code) {
  switch (step) {
    case Step::kOverlap:
      return code == RejectionCode::kMemoryOverlap;
    case Step::kShape:
    case Step::kResizing:
      return code == RejectionCode::kShapeMismatch;
    case Step::kDevices:
      return code == RejectionCode::kDeviceMismatch;
    case Step::kKernel:
      return code == RejectionCode::kUnsupportedDType;
    case Step::kRun:
      return code == RejectionCode::kZeroDivision;
    case Step::kDTypes:
      return code != RejectionCode::kMemoryOverlap && code != RejectionCode::kZeroDivision;
    case Step::kOperands:
    case Step::kParts:
    case Step::kCopyOut:
    case Step::kResult:
      return true;
    default:
      return false;
  }
}

/// Requires that promotion alone agrees with a call that refuses. If the call refuses in one of
/// promotion's steps, promotion refuses in the same words. If the call refuses only when it runs,
/// promotion answers. A generated out= form is left out, because it checks its out last.
void require_promotion(const Case& c, Step step, const Rejection& rejection) {
  CaseCall maker;
  if (has_generated_out(*c.op, maker.make(c, kPyTorchRules, nullptr))) return;
  const Outcome<Promoted> alone = promote_case(c);
  if (step == Step::kDTypes || step == Step::kKernel) {
    RC_ASSERT(!alone.ok());
    RC_ASSERT(alone.rejection().detail == rejection.detail);
  } else if (step == Step::kRun) {
    RC_ASSERT(alone.ok());
  }
}

Finding check_refusal(const System& system, const Case& c) {
  const Traced both(system, c);
  const StepTrace& steps = both.traced.trace.steps;
  const StepTrace::Taken* const refusing = steps.refusing();
  if ((refusing != nullptr) != (both.plain.tag == Answer::Tag::kRefusal))
    RC_FAIL(refusing
                ? "the trace refuses at " + std::string(name(refusing->step)) + ", the call answers"
                : "the trace has no step that refuses, the call refuses: " + both.plain.detail);
  if (refusing == nullptr) return Finding::kHolds;
  if (refusing != &steps.taken.back()) RC_FAIL("a step is taken after the one that refuses");
  const Rejection& rejection = *refusing->refused;
  if (rejection.code != both.plain.rejection || rejection.detail != both.plain.detail)
    RC_FAIL("the trace refuses for another reason: " + std::string(rejection.detail) +
            ", the call for " + both.plain.detail);
  if (!refuses_for(refusing->step, rejection.code))
    RC_FAIL(std::string(name(refusing->step)) + " does not refuse with " +
            std::string(name(rejection.code)));
  require_promotion(c, refusing->step, rejection);
  return Finding::kHolds;
}

// Controls.

template <auto Spoil>
void spoil_trace(IteratorSteps& steps) {
  steps.trace_case = [](const Case& c) {
    TracedAnswer traced = trace_case(c);
    Spoil(traced.trace);
    return traced;
  };
}
void float16_is_float32(CallTrace& trace) {
  if (trace.promoted && trace.promoted->result == DType::kFloat16)
    trace.promoted->result = DType::kFloat32;
}
void every_refusal_is_an_overlap(CallTrace& trace) {
  for (StepTrace::Taken& step : trace.steps.taken)
    if (step.refused) step.step = Step::kOverlap;
}
void overlaps_are_not_noted(CallTrace& trace) {
  for (StepTrace::Taken& step : trace.steps.taken)
    if (step.step == Step::kOverlap) step.refused.reset();
}

}  // namespace

std::span<const Property> trace_properties() {
  static const std::vector<Property> properties{
      law(Asks::kIterator, "ATraceHasTheDTypesOfTheAnswer",
          "The dtypes in a call's trace are those of promotion and of its answer. The answer is "
          "the same without a trace.",
          kMixedCalls, &check_dtypes,
          {.what = "a float16 result is recorded as float32",
           .spoil_iterator = &spoil_trace<&float16_is_float32>},
          {}, 30),
      law(Asks::kIterator, "ATraceEndsWithTheStepThatRefuses",
          "If a call refuses, the last step of its trace refuses for the same reason, and no other "
          "step does.",
          kMixedCalls, &check_refusal,
          {.what = "every refusal is recorded as an overlap",
           .spoil_iterator = &spoil_trace<&every_refusal_is_an_overlap>}),
      law(Asks::kIterator, "AKernelIsTracedWhereItRefuses",
          "If a call with operands of one dtype refuses, its trace names the step: a kernel may "
          "refuse the values.",
          kAnyCalls, &check_refusal,
          {.what = "every refusal is recorded as an overlap",
           .spoil_iterator = &spoil_trace<&every_refusal_is_an_overlap>}),
      law(Asks::kIterator, "AnOverlapIsTracedWhereItIsRefused",
          "If the output overlaps an input partially, the trace names the step that refuses.",
          kPartialOverlaps, &check_refusal,
          {.what = "overlaps are not recorded",
           .spoil_iterator = &spoil_trace<&overlaps_are_not_noted>}),
      law(Asks::kIterator, "AShapeIsTracedWhereItIsRefused",
          "If the shapes do not fit, or the result cannot be cast, the trace names the step that "
          "refuses.",
          kRefusedCalls, &check_refusal,
          {.what = "every refusal is recorded as an overlap",
           .spoil_iterator = &spoil_trace<&every_refusal_is_an_overlap>}),
  };
  return properties;
}

}  // namespace upcast::properties
