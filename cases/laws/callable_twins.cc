#include "cases/laws/callable_twins.h"

#include <algorithm>

#include "cases/attribute_values.h"
#include "cases/callable_index.h"
#include "cases/element.h"
#include "impl/core/cast.h"
#include "impl/promotion/result_type.h"

namespace upcast::internal {
namespace {

using Parameters = std::vector<Parameter>;

bool same_types(const Parameters& a, const Parameters& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Parameter& x, const Parameter& y) { return x.type == y.type; });
}

/// Whether two parameter lists are the same, except that the parameter at `position` is a Tensor in
/// `a` and a Scalar in `b`.
bool takes_a_scalar_at(const Parameters& a, const Parameters& b, std::size_t position) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i == position ? !is_tensor(a[i]) || !is_scalar(b[i]) : a[i].type != b[i].type) return false;
    if (a[i].name != b[i].name) return false;
  }
  return true;
}

/// A callable's name without its overload: "add_" for "add_.Tensor".
std::string_view stem(std::string_view callable) { return callable.substr(0, callable.find('.')); }

/// The overloads of the call's name and form that take a Scalar where the call has a tensor at
/// `position`.
std::vector<Callable> scalar_twins(const TypedCall& typed, int position) {
  std::vector<Callable> twins;
  const Case& c = typed.call;
  for (const Callable& other : CallableIndex::get().overloads(stem(c.callable())))
    if (other.form == c.form && takes_a_scalar_at(c.schema().parameters, other.schema().parameters,
                                                  static_cast<std::size_t>(position)))
      twins.push_back(other);
  return twins;
}

/// The zero-dim tensor that stands for a number: the same value, in the dtype that the number
/// enters a call with.
Operand zero_dim_of(const Number& number) {
  const DType dtype = entering_dtype({number.dtype(), Kind::kWrapped}, {});
  Operand operand = tensor(dtype, {});
  operand.values.resize(itemsize(dtype));
  number.visit([&](auto value) {
    cast_elements(number.dtype(), reinterpret_cast<const std::byte*>(&value), dtype,
                  operand.values.data(), 1);
  });
  return operand;
}

void visit_numbers_at(const TypedCall& typed, int position, const std::vector<Callable>& twins,
                      const std::function<void(const NumberCall&)>& visit) {
  for (const Operand& number : kinds_of_numbers()) {
    NumberCall call{typed.call, typed.call, {}};
    call.wrapped.arguments[position] = number;
    call.zero_dim.arguments[position] = zero_dim_of(number.number);
    for (const Callable& twin : twins) {
      Case scalar = call.wrapped;
      scalar.op = twin.op;
      scalar.overload = twin.overload;
      call.scalars.push_back(std::move(scalar));
    }
    visit(call);
  }
}

}  // namespace

std::vector<Twins> aliases(const Op& op) {
  std::vector<Twins> found;
  for (int second = 1; second < static_cast<int>(op.schemas.size()); ++second)
    for (int first = 0; first < second; ++first)
      if (same_types(op.schemas[first].parameters, op.schemas[second].parameters)) {
        found.push_back({first, second});
        break;
      }
  return found;
}

void for_each_number_call(const Op& op, const std::function<void(const NumberCall&)>& visit) {
  for (const Form form : {Form::kFunctional, Form::kInPlace})
    for_each_typed_call(op, form, [&](const TypedCall& typed) {
      const std::vector<int> tensors = tensor_arguments(typed.call);
      if (tensors.size() < 2 || typed.has_several_dtypes()) return;
      if (typed.call.arguments[tensors.back()].sizes.empty()) return;
      for (const int position : typed.deciding) {
        if (typed.call.arguments[position].tag != Operand::Tag::kTensor) continue;
        if (form == Form::kInPlace && position == written_position(typed.call)) continue;
        visit_numbers_at(typed, position, scalar_twins(typed, position), visit);
      }
    });
}

}  // namespace upcast::internal
