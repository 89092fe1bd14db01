#include "cases/laws/typed_calls.h"

#include <algorithm>

#include "cases/attribute_values.h"
#include "cases/laws/call_pair.h"
#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/promotion/promotion_kind.h"

namespace upcast::internal {
namespace {

using Tag = Operand::Tag;

/// Two elements a tensor. The small values that a tensor holds at index 2 are equal in all
/// arguments, and argument 1 may be False from there on. So tensors end before it.
const Dims kSizes{2};

/// Whether a parameter takes part in the op's promotion. If the catalogue row names no operands,
/// every parameter except masks does.
bool decides(const Op& op, const Parameter& parameter) {
  const auto& operands = op.spec->operands;
  return !op.spec->is_mask(parameter.name) &&
         (operands[0].empty() ||
          std::find(operands.begin(), operands.end(), parameter.name) != operands.end());
}

/// A call that is being built: its tensors have no dtypes yet.
struct Draft {
  TypedCall typed;
  std::vector<int> tensors;  // positions of the tensors that take part in promotion
};

Draft draft_of(const Op& op, int overload, Form form) {
  Draft draft{{case_of({&op, overload, form}), {}}, {}};
  const std::vector<Parameter>& parameters = op.schemas[overload].parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto position = static_cast<int>(i);
    if (decides(op, parameters[i]) && (is_tensor(parameters[i]) || is_scalar(parameters[i])))
      draft.typed.deciding.push_back(position);
    if (!is_tensor(parameters[i])) continue;
    if (decides(op, parameters[i]))
      draft.tensors.push_back(position);
    else
      draft.typed.call.arguments[i] = tensor(DType::kBool, kSizes);
  }
  return draft;
}

/// Gives each attribute from position `first` on all of its values in turn, and calls `then` for
/// each combination.
void for_each_attribute(Draft& draft, std::size_t first, const std::function<void()>& then) {
  const std::vector<Parameter>& parameters = draft.typed.call.schema().parameters;
  while (first < parameters.size() && is_tensor(parameters[first])) ++first;
  if (first == parameters.size()) return then();
  Operand& argument = draft.typed.call.arguments[first];
  std::vector<Operand> values = typing_values(*draft.typed.call.op, parameters[first]);
  if (values.empty()) values.emplace_back();
  for (const Operand& value : values) {
    argument = value;
    for_each_attribute(draft, first + 1, then);
  }
  argument = {};
}

/// The tuples of dtypes that a call's tensors are given: all dtypes for one tensor, all pairs (a,
/// b) for two; (a, b, b), (a, a, b) and (a, b, a) for three.
std::vector<std::vector<DType>> dtype_tuples(std::size_t tensors) {
  std::vector<std::vector<DType>> tuples;
  for (const DType a : kElementwise.dtypes()) {
    tuples.emplace_back(tensors, a);
    if (tensors < 2) continue;
    for (const DType b : kElementwise.dtypes()) {
      if (a == b) continue;
      if (tensors == 2) tuples.push_back({a, b});
      if (tensors == 3) tuples.insert(tuples.end(), {{a, b, b}, {a, a, b}, {a, b, a}});
    }
  }
  return tuples;
}

void visit_dtypes(Draft& draft, bool kinds, const TypedCallVisitor& visit) {
  for (const std::vector<DType>& dtypes : dtype_tuples(draft.tensors.size())) {
    for (std::size_t i = 0; i < dtypes.size(); ++i)
      draft.typed.call.arguments[draft.tensors[i]] = tensor(dtypes[i], kSizes);
    visit(draft.typed);
    if (!kinds || dtypes.size() < 2) continue;
    draft.typed.call.arguments[draft.tensors.back()].sizes.clear();
    visit(draft.typed);
  }
}

}  // namespace

std::optional<DType> TypedCall::common_dtype() const { return common_dtype_of(call); }

bool TypedCall::is_mixed(DType common) const {
  return std::any_of(deciding.begin(), deciding.end(), [&](int position) {
    const Operand& argument = call.arguments[position];
    return argument.tag == Tag::kTensor && argument.dtype != common;
  });
}

bool TypedCall::has_several_dtypes() const {
  for (const int position : deciding)
    if (call.arguments[position].tag == Tag::kTensor)
      return is_mixed(call.arguments[position].dtype);
  return false;
}

Case TypedCall::cast_to(DType dtype) const {
  Case cast = call;
  for (const int position : deciding) {
    Operand& argument = cast.arguments[position];
    if (argument.tag != Tag::kTensor) continue;
    const std::vector<std::byte> values = operand_values(call, position);
    argument.values.resize(static_cast<std::size_t>(element_count(argument) * itemsize(dtype)));
    cast_elements(argument.dtype, values.data(), dtype, argument.values.data(),
                  element_count(argument));
    argument.dtype = dtype;
  }
  return cast;
}

void for_each_typed_call(const Op& op, int overload, Form form, const TypedCallVisitor& visit) {
  if (op.callable(overload, form).empty()) return;
  Draft draft = draft_of(op, overload, form);
  if (draft.tensors.empty()) return;
  for_each_attribute(draft, 0, [&] { visit_dtypes(draft, form == Form::kFunctional, visit); });
}

bool TypedCall::casts_exactly(DType dtype) const {
  const Case cast = cast_to(dtype);
  return std::all_of(deciding.begin(), deciding.end(), [&](int position) {
    const Operand& argument = call.arguments[position];
    if (argument.tag != Tag::kTensor) return true;
    const std::vector<std::byte> values = operand_values(call, position);
    std::vector<std::byte> back(values.size());
    cast_elements(dtype, cast.arguments[position].values.data(), argument.dtype, back.data(),
                  element_count(argument));
    return back == values;
  });
}

void for_each_typed_call(const Op& op, Form form, const TypedCallVisitor& visit) {
  for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload)
    for_each_typed_call(op, overload, form, visit);
}

}  // namespace upcast::internal

namespace upcast {

std::optional<DType> common_dtype_of(const Case& c) {
  std::vector<TypedOperand> operands;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Operand& argument = c.arguments[i];
    if (!internal::decides(*c.op, c.schema().parameters[i])) continue;
    if (argument.tag == Operand::Tag::kTensor)
      operands.push_back({argument.dtype, argument.sizes.empty() ? Kind::kZeroDim : Kind::kDim});
    if (argument.tag == Operand::Tag::kNumber)
      operands.push_back({argument.number.dtype(), Kind::kWrapped});
  }
  if (operands.empty()) return std::nullopt;
  const Outcome<DType> common = common_dtype(operands, c.defaults);
  return common.ok() ? std::optional(common.value()) : std::nullopt;
}

}  // namespace upcast
