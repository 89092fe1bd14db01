#include "oracle/impl_subject.h"

#include "impl/cpu/call_op.h"

namespace upcast {

void ImplSubject::answer(const Case& c, Answer& answer) {
  if (c.cuda) {
    answer.tag = Answer::Tag::kNotJudged;
    answer.detail = "impl:cpu has no CUDA device";
    return;
  }
  const Outcome<CallResult> outcome = call_op(*c.op, call_.make(c, /*with_values=*/true, rules_));
  if (!outcome.ok()) {
    answer.tag = Answer::Tag::kRefusal;
    answer.rejection = outcome.rejection().code;
    answer.detail = outcome.rejection().detail;
    return;
  }
  const CallResult& result = outcome.value();
  answer.detail.clear();
  if (result.dtype != DType::kUndefined) {
    answer.tag = Answer::Tag::kDType;
    answer.dtype = result.dtype;
    return;
  }
  answer.tag = Answer::Tag::kTensor;
  answer.dtype = result.tensor.dtype;
  answer.sizes = result.tensor.sizes;
  answer.strides = result.tensor.strides;
  answer.bytes = logical_bytes(result.tensor);
}

std::map<std::string, std::string> ImplSubject::versions() const {
  return {{"impl", "cpu"}, {"compiler", "g++ " __VERSION__}};
}

}  // namespace upcast
