#include "tools/asked_case.h"

#include "impl/core/error.h"
#include "oracle/case_trace.h"

namespace upcast::tools {
namespace {

/// Our implementation's answer to a call within a question, as an operand for the call around it.
Operand answer_as_operand(const Case& c) {
  const TracedAnswer traced = trace_case(c);
  const Answer& answer = traced.on_gpu.value_or(traced.answer);
  if (answer.tag == Answer::Tag::kDType)
    return {.tag = Operand::Tag::kDType, .dtype = answer.dtype};
  if (answer.tag != Answer::Tag::kTensor) throw UsageError(to_text(answer));
  if (!answer.further.empty()) throw UsageError("gives several tensors; ask about it alone");
  if (c.schema().returns == "bool")
    return {.tag = Operand::Tag::kNumber, .number = Number(answer.bytes.at(0) != std::byte{})};
  Operand operand{.tag = Operand::Tag::kTensor, .dtype = answer.dtype, .sizes = answer.sizes};
  if (answer.strides != contiguous_strides(answer.sizes)) operand.strides = answer.strides;
  operand.values = answer.bytes;
  return operand;
}

}  // namespace

Question asked_case(const std::string& text) { return read_question(text, answer_as_operand); }

}  // namespace upcast::tools
