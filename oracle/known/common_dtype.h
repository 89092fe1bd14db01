// The dtype to which PyTorch promotes the tensors of a call, even if the op then computes in
// another one.
#pragma once

#include <optional>
#include <vector>

#include "cases/operands.h"
#include "oracle/known/model_values.h"

namespace upcast::models {

/// The dtype that torch.result_type gives to two tensors of a call; nothing if it refuses.
inline std::optional<DType> result_type_of(const Case& c, int first, int second) {
  Case asked = c;
  set_callable(asked, "result_type.Tensor");
  asked.arguments = {c.operand(first), c.operand(second)};
  asked.out = {};
  const Answer answer = ours_of(asked);
  if (answer.tag != Answer::Tag::kDType) return std::nullopt;
  return answer.dtype;
}

/// The common dtype of the tensors of a call, without masks.
inline std::optional<DType> common_of_tensors(const Case& c) {
  std::vector<int> tensors = tensor_arguments(c);
  std::erase_if(tensors, [&c](int position) {
    return c.op->spec->is_mask(c.schema().parameters[static_cast<std::size_t>(position)].name);
  });
  if (tensors.size() == 1) return c.operand(tensors[0]).dtype;
  if (tensors.size() == 2) return result_type_of(c, tensors[0], tensors[1]);
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  return promoted.value().common;
}

}  // namespace upcast::models
