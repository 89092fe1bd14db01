// What PyTorch's compilers and transforms answer where they convert operands otherwise than eager.
#include "cases/operands.h"
#include "cases/values.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_values.h"

namespace upcast::models {
namespace {

/// A contiguous operand of these sizes with the values of a tensor of the call, in another dtype.
Operand converted(const Case& c, int position, DType dtype, const Dims& sizes) {
  Operand made = tensor(dtype, sizes);
  made.values = cast(c.operand(position).dtype, operand_values(c, position), dtype);
  return made;
}

/// Inductor converts operands of other dtypes to the compute dtype, float32, where eager rounds
/// them to the common dtype, float16 or bfloat16, first.
std::optional<Answer> operands_at_compute_precision(const Case& c, const Answer& right) {
  const std::optional<DType> common = common_among(c, kReducedFloats);
  if (!common || c.form != Form::kFunctional || right.tag != Answer::Tag::kTensor)
    return std::nullopt;
  Case wide = c;
  for (const int position : tensor_arguments(c)) {
    const auto i = static_cast<std::size_t>(position);
    if (c.op->spec->is_mask(c.schema().parameters[i].name)) continue;
    wide.arguments[i] = converted(c, position, DType::kFloat32, c.arguments[i].sizes);
  }
  const Answer answer = ours_of(wide);
  if (answer.tag != Answer::Tag::kTensor) return std::nullopt;
  if (answer.dtype == DType::kFloat32) return with_values(right, DType::kFloat32, answer.bytes);
  if (answer.dtype != right.dtype) return std::nullopt;
  Answer wrong = right;
  wrong.bytes = answer.bytes;
  return wrong;
}

/// The dtype that torch.result_type gives to two tensors of the call.
DType result_type_of(const Case& c, int first, int second) {
  Case asked = c;
  set_callable(asked, "result_type.Tensor");
  asked.arguments = {c.operand(first), c.operand(second)};
  asked.out = {};
  return ours_of(asked).dtype;
}

/// What the call answers when zero-dim operands have a dimension, of size 1.
Answer with_a_dimension(Case c, const Answer& right, DType dtype) {
  const Case original = c;
  for (const int position : tensor_arguments(original)) {
    Operand& operand = c.arguments[static_cast<std::size_t>(position)];
    if (!operand.sizes.empty()) continue;
    operand =
        converted(original, position, dtype == DType::kUndefined ? operand.dtype : dtype, {1});
  }
  Answer answer = ours_of(c);
  if (answer.tag == Answer::Tag::kTensor && right.tag == Answer::Tag::kTensor)
    answer.sizes = right.sizes;
  answer.strides = contiguous_strides(answer.sizes);
  return answer;
}

bool has_zero_dim(const Case& c) {
  for (const int position : tensor_arguments(c))
    if (c.operand(position).sizes.empty()) return true;
  return false;
}

/// vmap gives every tensor a dimension. A batching rule without a promotion of its own then takes
/// zero-dim operands for such as have dimensions.
std::optional<Answer> zero_dim_operands_with_dimensions(const Case& c, const Answer& right) {
  if (c.form != Form::kFunctional || !has_zero_dim(c)) return std::nullopt;
  return with_a_dimension(c, right, DType::kUndefined);
}

/// vmap's batching rule of binary ops converts a zero-dim operand to torch.result_type of both,
/// where the op itself converts it to another dtype, or only compares.
std::optional<Answer> zero_dim_operand_in_the_result_type(const Case& c, const Answer& right) {
  const std::vector<int> tensors = tensor_arguments(c);
  if (c.form != Form::kFunctional || tensors.size() != 2 || !has_zero_dim(c)) return std::nullopt;
  return with_a_dimension(c, right, result_type_of(c, tensors[0], tensors[1]));
}

}  // namespace

ModelRows compiler_models() {
  return {
      {"operands_at_compute_precision", {kEveryOp}, operands_at_compute_precision},
      {"zero_dim_operands_with_dimensions", {kEveryOp}, zero_dim_operands_with_dimensions},
      {"zero_dim_operand_in_the_result_type", {kEveryOp}, zero_dim_operand_in_the_result_type},
  };
}

}  // namespace upcast::models
