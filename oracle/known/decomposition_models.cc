// Models of PyTorch's decompositions (torch/_decomp/decompositions.py) and of Inductor's lowerings.
// They compute the same as chains of calls of our ops. Dtypes, strides, roundings and refusals are
// those of the calls.
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <utility>

#include "cases/operands.h"
#include "cases/values.h"
#include "oracle/known/computation.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_values.h"

namespace upcast::models {
namespace {

std::optional<Answer> threshold_backward(const Case& c, const Answer&) {
  if (c.form != Form::kFunctional) return std::nullopt;
  Chain call(c);
  const Operand below = call("le.Scalar", {tensor_argument(c, "self"), argument(c, "threshold")});
  call("where.ScalarSelf", {below, number(0), tensor_argument(c, "grad_output")});
  return call.answer();
}

std::optional<Answer> native_dropout_backward(const Case& c, const Answer&) {
  if (c.form != Form::kFunctional) return std::nullopt;
  Chain call(c);
  const Operand gradient = tensor_argument(c, "grad_output");
  const Operand mask = converted(tensor_argument(c, "mask"), gradient.dtype);
  call.times(gradient, call.times(mask, argument(c, "scale")));
  Answer answer = call.answer();
  answer.strides = contiguous_strides(answer.sizes);
  return answer;
}

std::optional<Answer> ldexp(const Case& c, const Answer&) {
  if (c.form != Form::kFunctional) return std::nullopt;
  Chain call(c);
  const Operand self = tensor_argument(c, "self");
  const DType of_two = is_integral(self.dtype) ? DType::kFloat32 : self.dtype;
  Operand two = tensor(DType::kFloat64, {});
  two.values = bytes_of(std::vector<double>{2.0});
  const Operand power =
      call("pow.Tensor_Tensor", {converted(two, of_two), tensor_argument(c, "other")});
  call.times(self, power);
  return call.answer();
}

void hardsigmoid_backward(Computation& of) {
  Chain& call = of.chain;
  const Operand self = of.operand("self");
  const Operand above = call("gt.Scalar", {self, number(-3.0)});
  const Operand inside =
      call("bitwise_and.Tensor", {above, call("lt.Scalar", {self, number(3.0)})});
  const Operand slope = call.times(of.operand("grad_output"), number(1.0 / 6.0));
  call("where.ScalarOther", {inside, slope, number(0.0)});
}

void hardswish_backward(Computation& of) {
  Chain& call = of.chain;
  const Operand self = of.operand("self"), gradient = of.operand("grad_output");
  const Operand third = call("div.Tensor", {self, number(3)});
  const Operand slope = call.times(gradient, call.plus(third, number(0.5)));
  const Operand inside =
      call("where.self", {call("lt.Scalar", {self, number(3)}), slope, gradient});
  call("where.ScalarSelf", {call("le.Scalar", {self, number(-3)}), number(0.0), inside});
}

void sigmoid_backward(Computation& of) {
  Chain& call = of.chain;
  const Operand output = of.operand("output");
  const Operand slope = call("conj_physical", {call.times(output, call.one_less(output))});
  call.times(of.operand("grad_output"), slope);
}

void silu_backward(Computation& of) {
  Chain& call = of.chain;
  const Operand self = of.operand("self");
  const Operand sigmoid = call("sigmoid", {self});
  const Operand rest = call.plus(call.times(self, call.one_less(sigmoid)), number(1));
  call.times(call.times(of.operand("grad_output"), sigmoid), rest);
}

void softplus_backward(Computation& of) {
  Chain& call = of.chain;
  const Operand gradient = of.operand("grad_output");
  const Operand scaled = call.times(of.operand("self"), argument(of.c, "beta"));
  const Operand z = call("exp", {scaled});
  const Operand slope = call("div.Tensor", {call.times(gradient, z), call.plus(z, number(1.0))});
  call("where.self", {call("gt.Scalar", {scaled, argument(of.c, "threshold")}), gradient, slope});
}

std::optional<Answer> elu_backward(const Case& c, const Answer&) {
  std::optional<Computation> of = computation_of(c);
  if (!of || is_complex(of->common)) return std::nullopt;
  const auto value = [&c](std::string_view parameter) {
    return number_of(c, parameter).visit([](auto each) -> double {
      if constexpr (std::is_arithmetic_v<decltype(each)>)
        return static_cast<double>(each);
      else
        return each.re;
    });
  };
  Chain& call = of->chain;
  const Operand self = of->operand("self_or_result"), gradient = of->operand("grad_output");
  const Operand scale = number(value("input_scale"));
  const Operand coefficient = number(value("alpha") * value("scale"));
  const Operand scaled = call.times(gradient, scale);
  const Operand below =
      value("is_result") != 0
          ? call.times(scaled, call.plus(self, coefficient))
          : call.times(call.times(scaled, coefficient), call("exp", {call.times(self, scale)}));
  const Operand above = call.times(gradient, number(value("scale")));
  call("where.self", {call("le.Scalar", {self, number(0)}), below, above});
  return of->answer();
}

std::optional<Answer> gelu_backward(const Case& c, const Answer&) {
  std::optional<Computation> of = computation_of(c);
  if (!of || argument(c, "approximate").text == "tanh") return std::nullopt;
  Chain& call = of->chain;
  const Operand self = of->operand("self");
  const double half_root = std::numbers::sqrt2 / 2;
  const Operand erf = call("erf", {call.times(self, number(half_root))});
  const Operand area = call.times(call.plus(erf, number(1)), number(0.5));
  const Operand bell = call("exp", {call.times(call.times(self, self), number(-0.5))});
  const Operand density = call.times(bell, number(2 * std::numbers::inv_sqrtpi * half_root * 0.5));
  call.times(of->operand("grad_output"), call.plus(area, call.times(self, density)));
  return of->answer();
}

/// mish_backward by the decomposition. `steps`: by how many neighbouring values of its dtype
/// tanh(softplus(self)) lies above the nearest one.
std::optional<Answer> mish_backward_off_by(const Case& c, int steps) {
  std::optional<Computation> of = computation_of(c);
  if (!of || (steps != 0 && of->compute != DType::kFloat32)) return std::nullopt;
  Chain& call = of->chain;
  const Operand self = of->operand("self");
  Operand tanh = call("tanh", {call("softplus", {self})});
  if (steps != 0) {
    auto values = elements<float>(DType::kFloat32, tanh.values, DType::kFloat32);
    for (float& value : values)
      value =
          std::nextafter(value, static_cast<float>(steps) * std::numeric_limits<float>::infinity());
    tanh.values = bytes_of(values);
  }
  const Operand rest = call.one_less(call.times(tanh, tanh));
  const Operand slope = call.times(call.times(self, call("sigmoid", {self})), rest);
  call.times(of->operand("grad_output"), call.plus(tanh, slope));
  return of->answer();
}

std::optional<Answer> mish_backward(const Case& c, const Answer&) {
  return mish_backward_off_by(c, 0);
}

/// mish_backward, for any error of an ulp in PyTorch's float32 tanh and softplus. Cancellation
/// makes many ulps of such an error.
std::optional<Answer> mish_backward_of_a_rounded_tanh(const Case& c, const Answer& right,
                                                      const Answer& answer) {
  constexpr std::size_t kSize = sizeof(float);
  if (answer.dtype != DType::kFloat32) return std::nullopt;
  Answer nearest = right;
  for (const int steps : {-1, 0, 1}) {
    const std::optional<Answer> each = mish_backward_off_by(c, steps);
    if (!each || each->bytes.size() != answer.bytes.size()) return std::nullopt;
    for (std::size_t at = 0; at < answer.bytes.size(); at += kSize)
      if (std::memcmp(each->bytes.data() + at, answer.bytes.data() + at, kSize) == 0)
        std::memcpy(nearest.bytes.data() + at, answer.bytes.data() + at, kSize);
  }
  return nearest;
}

/// Inductor's own decomposition of lerp: every step is rounded to the dtype of the operands.
std::optional<Answer> lerp(const Case& c, const Answer&) {
  if (c.form != Form::kFunctional || argument(c, "weight").tag != Operand::Tag::kTensor)
    return std::nullopt;
  Chain call(c);
  const Operand start = tensor_argument(c, "self"), end = tensor_argument(c, "end");
  const Operand weight = tensor_argument(c, "weight");
  const Operand distance = call.minus(end, start);
  const Operand near_end = call("ge.Scalar", {call("abs", {weight}), number(0.5)});
  const Operand from_end = call("neg", {call("rsub.Scalar", {weight, number(1.0)})});
  const Operand coefficient = call("where.self", {near_end, from_end, weight});
  const Operand base = call("where.self", {near_end, end, start});
  call("addcmul", {base, coefficient, distance});
  return call.answer();
}

}  // namespace

ModelRows decomposition_models() {
  return {
      {"decomposition", {"elu_backward"}, elu_backward},
      {"decomposition", {"gelu_backward"}, gelu_backward},
      {"decomposition", {"hardsigmoid_backward"}, computed<hardsigmoid_backward>},
      {"decomposition", {"hardswish_backward"}, computed<hardswish_backward>},
      {"decomposition", {"ldexp"}, ldexp},
      {"decomposition", {"lerp"}, lerp},
      {"decomposition", {"mish_backward"}, mish_backward},
      {"decomposition_of_a_rounded_tanh", {"mish_backward"}, mish_backward_of_a_rounded_tanh},
      {"decomposition", {"native_dropout_backward"}, native_dropout_backward},
      {"decomposition", {"sigmoid_backward"}, computed<sigmoid_backward>},
      {"decomposition", {"silu_backward"}, computed<silu_backward>},
      {"decomposition", {"softplus_backward"}, computed<softplus_backward>},
      {"decomposition", {"threshold_backward"}, threshold_backward},
  };
}

}  // namespace upcast::models
