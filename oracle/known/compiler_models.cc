// Models of PyTorch's compilers and transforms, which convert operands in another way than eager
// does.
#include <algorithm>

#include "cases/operands.h"
#include "cases/values.h"
#include "oracle/known/common_dtype.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_values.h"

namespace upcast::models {
namespace {

/// A contiguous operand of these sizes, with the values of an argument of the call, converted to
/// another dtype.
Operand converted(const Case& c, int position, DType dtype, const Dims& sizes) {
  Operand made = tensor(dtype, sizes);
  made.values = cast(c.operand(position).dtype, operand_values(c, position), dtype);
  return made;
}

/// The call with each of its operands, except masks, converted to this dtype.
Case with_operands_in(Case c, DType dtype) {
  const Case original = c;
  for (const int position : tensor_arguments(original)) {
    const auto i = static_cast<std::size_t>(position);
    if (c.op->spec->is_mask(c.schema().parameters[i].name)) continue;
    const Dims strides = c.arguments[i].strides;
    c.arguments[i] = converted(original, position, dtype, c.arguments[i].sizes);
    c.arguments[i].strides = strides;
  }
  return c;
}

/// Inductor converts operands of other dtypes to the compute dtype, float32. Eager rounds them to
/// the common dtype, float16 or bfloat16, first.
std::optional<Answer> operands_at_compute_precision(const Case& c, const Answer& right) {
  const std::optional<DType> common = common_among(c, kReducedFloats);
  if (!common || c.form != Form::kFunctional || right.tag != Answer::Tag::kTensor)
    return std::nullopt;
  const Answer answer = ours_of(with_operands_in(c, DType::kFloat32));
  if (answer.tag != Answer::Tag::kTensor) return std::nullopt;
  if (answer.dtype == DType::kFloat32) return with_values(right, DType::kFloat32, answer.bytes);
  if (answer.dtype != right.dtype) return std::nullopt;
  Answer wrong = right;
  wrong.bytes = answer.bytes;
  return wrong;
}

/// References convert their operands to the compute dtype, and the result to the common dtype.
/// Eager rounds operands to the common dtype first, or gives the result the dtype of one operand.
std::optional<Answer> in_the_common_dtype(const Case& c, const Answer&) {
  const std::optional<DType> common = common_of_tensors(c);
  if (c.form != Form::kFunctional || !common) return std::nullopt;
  const DType compute = compute_dtype(*common);
  Answer answer = ours_of(with_operands_in(c, compute));
  if (answer.tag != Answer::Tag::kTensor) return std::nullopt;
  if (answer.dtype != compute) return answer;
  answer.bytes = cast_through_float32(compute, answer.bytes, *common);
  answer.dtype = *common;
  return answer;
}

/// The result has the strides of the only tensor of the call.
std::optional<Answer> strides_of_the_operand(const Case& c, const Answer& right) {
  const std::vector<int> tensors = tensor_arguments(c);
  if (tensors.size() != 1 || c.operand(tensors[0]).strides.empty()) return std::nullopt;
  Answer wrong = right;
  wrong.strides = c.operand(tensors[0]).strides;
  return wrong;
}

/// functionalize calls the functional form of an out= call, and returns a result with that form's
/// strides.
std::optional<Answer> strides_of_the_functional_form(const Case& c, const Answer& right) {
  if (c.form != Form::kOut) return std::nullopt;
  Case functional = c;
  functional.form = Form::kFunctional;
  functional.out = functional.second_out = {};
  const Answer answer = ours_of(functional);
  if (answer.tag != Answer::Tag::kTensor || answer.sizes != right.sizes) return std::nullopt;
  Answer wrong = right;
  wrong.strides = answer.strides;
  return wrong;
}

/// The answer to the call if each zero-dim operand had one dimension, of size 1. If `dtype` is set,
/// all operands have that dtype.
Answer with_a_dimension(Case c, const Answer& right, std::optional<DType> dtype) {
  const Case original = c;
  for (const int position : tensor_arguments(original)) {
    Operand& operand = c.arguments[static_cast<std::size_t>(position)];
    const Dims sizes = operand.sizes.empty() ? Dims{1} : operand.sizes;
    operand = converted(original, position, dtype.value_or(operand.dtype), sizes);
  }
  Answer answer = ours_of(c);
  if (answer.tag == Answer::Tag::kTensor && right.tag == Answer::Tag::kTensor)
    answer.sizes = right.sizes;
  answer.strides = contiguous_strides(answer.sizes);
  return answer;
}

std::ptrdiff_t count_zero_dim(const Case& c) {
  const std::vector<int> tensors = tensor_arguments(c);
  return std::count_if(tensors.begin(), tensors.end(),
                       [&c](int position) { return c.operand(position).sizes.empty(); });
}

/// vmap gives every tensor a dimension. A batching rule without a promotion of its own then treats
/// a zero-dim operand as one with dimensions.
std::optional<Answer> zero_dim_operands_with_dimensions(const Case& c, const Answer& right) {
  if (c.form == Form::kOut || count_zero_dim(c) == 0) return std::nullopt;
  return with_a_dimension(c, right, std::nullopt);
}

/// vmap's batching rule of binary ops converts a zero-dim operand, and one with dimensions, to
/// torch.result_type of both. The op itself converts to another dtype, or refuses.
std::optional<Answer> zero_dim_operand_in_the_result_type(const Case& c, const Answer& right) {
  const std::vector<int> tensors = tensor_arguments(c);
  if (c.form != Form::kFunctional || tensors.size() != 2 || count_zero_dim(c) != 1)
    return std::nullopt;
  const std::optional<DType> common = result_type_of(c, tensors[0], tensors[1]);
  if (!common) return std::nullopt;
  return with_a_dimension(c, right, common);
}

}  // namespace

ModelRows compiler_models() {
  return {
      {"in_the_common_dtype", {kEveryOp}, in_the_common_dtype},
      {"operands_at_compute_precision", {kEveryOp}, operands_at_compute_precision},
      {"strides_of_the_functional_form", {kEveryOp}, strides_of_the_functional_form},
      {"strides_of_the_operand", {kEveryOp}, strides_of_the_operand},
      {"zero_dim_operands_with_dimensions", {kEveryOp}, zero_dim_operands_with_dimensions},
      {"zero_dim_operand_in_the_result_type", {kEveryOp}, zero_dim_operand_in_the_result_type},
  };
}

}  // namespace upcast::models
