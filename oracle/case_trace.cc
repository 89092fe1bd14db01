#include "oracle/case_trace.h"

#include "oracle/impl_subject.h"

namespace upcast {
namespace {

DTypeSet dtypes_of(const CallTrace& trace) {
  DTypeSet dtypes;
  if (trace.promoted) dtypes = dtypes | trace.promoted->common;
  for (const CallTrace& part : trace.parts) dtypes = dtypes | dtypes_of(part);
  return dtypes;
}

}  // namespace

TracedAnswer trace_case(const Case& c) {
  TracedAnswer traced;
  ImplSubject subject;
  subject.ask(c, traced.answer, &traced.trace);
  if (traced.answer.tag != Answer::Tag::kNotJudged) return traced;
  subject.stand_in_for_gpu();
  subject.ask(c, traced.on_gpu.emplace(), &traced.trace);
  return traced;
}

PromotionTrace trace_promotion(const Case& c) {
  CaseCall maker;
  CallTrace trace;
  Call call = maker.make(c, kPyTorchRules, nullptr);
  call.trace = &trace;
  static_cast<void>(promote_call(*c.op, call));
  return trace.promotion;
}

DTypeSet composition_dtypes(const Case& c) {
  const CallTrace trace = trace_case(c).trace;
  return trace.steps.refusing() == nullptr ? dtypes_of(trace) : DTypeSet();
}

}  // namespace upcast
