// Models that compute what a decomposition or a lowering of PyTorch computes, as a chain of calls
// of our ops. Dtypes, strides, roundings and refusals are those of the calls.
#pragma once

#include <string_view>
#include <vector>

#include "cases/operands.h"
#include "cases/values.h"
#include "oracle/known/common_dtype.h"
#include "oracle/known/model_values.h"

namespace upcast::models {

inline Operand operand_of(const Answer& answer) {
  Operand operand = tensor(answer.dtype, answer.sizes);
  operand.strides = answer.strides;
  operand.values = answer.bytes;
  return operand;
}

/// A chain of calls that feed each other, with the settings of one case. If a call is refused, that
/// refusal is the answer.
class Chain {
 public:
  explicit Chain(const Case& like) : like_(like) { last_.tag = Answer::Tag::kTensor; }

  Operand operator()(std::string_view callable, const std::vector<Operand>& arguments) {
    if (last_.tag != Answer::Tag::kTensor) return {};
    Case call = case_of(find_callable(callable));
    for (std::size_t i = 0; i < arguments.size(); ++i) call.arguments[i] = arguments[i];
    call.defaults = like_.defaults;
    last_ = ours_of(call);
    return last_.tag == Answer::Tag::kTensor ? operand_of(last_) : Operand{};
  }
  Operand times(const Operand& a, const Operand& b) { return (*this)("mul.Tensor", {a, b}); }
  Operand plus(const Operand& a, const Operand& b) { return (*this)("add.Tensor", {a, b}); }
  Operand minus(const Operand& a, const Operand& b) { return (*this)("sub.Tensor", {a, b}); }
  Operand one_less(const Operand& a) { return (*this)("rsub.Scalar", {a, number(1)}); }

  Answer answer() const { return last_; }
  /// The answer, with its elements converted to a dtype.
  Answer answer_in(DType dtype) const {
    Answer answer = last_;
    if (answer.tag != Answer::Tag::kTensor) return answer;
    answer.bytes = cast_through_float32(answer.dtype, answer.bytes, dtype);
    answer.dtype = dtype;
    return answer;
  }

 private:
  const Case& like_;
  Answer last_;
};

inline Operand argument(const Case& c, std::string_view parameter) {
  return c.arguments[static_cast<std::size_t>(c.schema().find(parameter))];
}

/// A tensor argument of a call with its values written out, so that another call can take it.
inline Operand tensor_argument(const Case& c, std::string_view parameter) {
  Operand operand = argument(c, parameter);
  operand.values = operand_values(c, c.schema().find(parameter));
  operand.offset = 0;
  operand.shares = kOwnStorage;
  return operand;
}

inline Operand converted(Operand operand, DType dtype) {
  operand.values = cast(operand.dtype, operand.values, dtype);
  operand.dtype = dtype;
  return operand;
}

/// A computation that first converts all its tensors to the dtype in which it computes.
struct Computation {
  Chain chain;
  DType common;
  DType compute;
  const Case& c;

  Operand operand(std::string_view parameter) const {
    const Operand given = argument(c, parameter);
    return given.tag == Operand::Tag::kTensor ? converted(tensor_argument(c, parameter), compute)
                                              : given;
  }
  Answer answer() const { return chain.answer_in(common); }
};

inline std::optional<Computation> computation_of(const Case& c) {
  if (c.form != Form::kFunctional) return std::nullopt;
  for (const Parameter& parameter : c.schema().parameters)
    if (is_tensor(parameter) && argument(c, parameter.name).tag != Operand::Tag::kTensor)
      return std::nullopt;
  const std::optional<DType> common = common_of_tensors(c);
  if (!common) return std::nullopt;
  return Computation{Chain(c), *common, compute_dtype(*common), c};
}

/// A model whose steps are a chain of calls on operands in the compute dtype.
template <void (*kSteps)(Computation&)>
std::optional<Answer> computed(const Case& c, const Answer&) {
  std::optional<Computation> of = computation_of(c);
  if (!of) return std::nullopt;
  kSteps(*of);
  return of->answer();
}

}  // namespace upcast::models
