#include "oracle/libtorch/promotion.h"

#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/empty.h>

#include <vector>

#include "oracle/libtorch/default_dtype.h"
#include "oracle/libtorch/settings.h"

namespace upcast::libtorch {
namespace {

template <class F>
std::optional<DType> ask(F f) {
  try {
    const DType dtype = from_c10(f());
    if (dtype != DType::kUndefined) return dtype;
  } catch (const std::exception&) {  // refused: the result is nullopt, whatever the reason
  }
  return std::nullopt;
}

at::Tensor make_operand(TypedOperand operand) {
  if (operand.dtype == DType::kUndefined) return {};
  const auto options = at::TensorOptions().dtype(to_c10(operand.dtype));
  at::Tensor tensor = operand.kind == Kind::kDim ? at::empty({1}, options) : at::empty({}, options);
  if (operand.kind == Kind::kWrapped) tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

}  // namespace

std::optional<DType> promote_types(DType a, DType b) {
  if (!has_dtype(a) || !has_dtype(b)) return std::nullopt;
  return ask([=] { return c10::promoteTypes(to_c10(a), to_c10(b)); });
}

std::optional<bool> can_cast(DType from, DType to) {
  if (!has_dtype(from) || !has_dtype(to)) return std::nullopt;
  return c10::canCast(to_c10(from), to_c10(to));
}

std::optional<DType> result_type(std::span<const TypedOperand> operands, Defaults defaults) {
  silence_warnings_of_this_thread();
  std::vector<at::Tensor> tensors;
  for (const TypedOperand& operand : operands) {
    if (!has_dtype(operand.dtype)) return std::nullopt;
    tensors.push_back(make_operand(operand));
  }
  const DefaultDTypeScope scope(defaults.floating);
  return ask([&tensors] {
    return at::native::result_type(at::ITensorListRef(at::ArrayRef<at::Tensor>(tensors)));
  });
}

}  // namespace upcast::libtorch
