#include "properties/layout_checks.h"

#include <algorithm>
#include <array>

#include "oracle/case_call.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

std::vector<std::byte> bytes_at(const Tensor& tensor, const Dims& sizes, const Dims& strides) {
  Tensor view = tensor;
  view.sizes = sizes;
  view.strides = strides;
  return logical_bytes(view);
}

bool has_layout(const Operand& operand) {
  return !operand.strides.empty() || operand.offset != 0 || operand.shares != kOwnStorage;
}

bool has_float8(const Case& c) {
  return std::any_of(c.arguments.begin(), c.arguments.end(),
                     [](const Operand& operand) { return kFloat8s.contains(operand.dtype); });
}

/// Whether LibTorch's vector code and scalar code give different results for the op. The scalar
/// code computes the last elements of a row, and operands with strides: known differences
/// "...-in-the-vector-body".
bool has_two_paths(const Case& c) {
  static const OpSet kOfAnyDType{"lerp",
                                 "hardswish",
                                 "hardswish_backward",
                                 "elu",
                                 "elu_backward",
                                 "softshrink",
                                 "softshrink_backward",
                                 "hardshrink",
                                 "celu",
                                 "hardshrink_backward",
                                 "hardtanh_backward",
                                 "selu",
                                 "logit_backward",
                                 "threshold_backward",
                                 "maximum",
                                 "minimum",
                                 "fmax",
                                 "fmin",
                                 "clamp",
                                 "clamp_min",
                                 "clamp_max"};
  static const OpSet kOfFloat8{"abs"};
  return kOfAnyDType.contains(*c.op) || (kOfFloat8.contains(*c.op) && has_float8(c));
}

}  // namespace

Answer our_answer(const Case& c) { return make_impl_system("impl:cpu").answer(c); }

Case dense(const Case& c) {
  Case made = unshared(c);
  for (const int i : tensor_arguments(c)) {
    made.operand(i).strides.clear();
    made.operand(i).offset = 0;
  }
  return made;
}

Case unshared(const Case& c) {
  CaseCall call;
  const Call& tensors = call.make(c);
  Case made = c;
  for (const int i : tensor_arguments(c)) {
    made.operand(i).values = logical_bytes(tensors.arguments[static_cast<std::size_t>(i)].tensor);
    made.operand(i).shares = kOwnStorage;
  }
  made.out.shares = kOwnStorage;
  return made;
}

Operand viewed_as(const Case& c, int position, const Dims& sizes, const Dims& strides) {
  CaseCall call;
  const Tensor& own = call.make(c).arguments[static_cast<std::size_t>(position)].tensor;
  Operand operand = c.operand(position);
  operand.values = bytes_at(own, sizes, strides);
  operand.sizes = sizes;
  set_strides(operand, strides);
  return operand;
}

Case misread(const Case& c) {
  CaseCall call;
  const Call& tensors = call.make(c);
  Case made = unshared(c);
  for (const int i : tensor_arguments(c)) {
    Operand& operand = made.operand(i);
    if (!has_layout(c.operand(i))) continue;
    const Storage& storage = *tensors.arguments[static_cast<std::size_t>(i)].tensor.storage;
    for (std::size_t at = 0; at < operand.values.size(); ++at)
      operand.values[at] = storage.data()[at % storage.size()];
    operand.strides.clear();
    operand.offset = 0;
  }
  return made;
}

void require_all_same(const std::string& what, const Answer& a, const Answer& b) {
  require_same(what, a, b);
  if (a.tag != Answer::Tag::kTensor) return;
  if (a.further.size() != b.further.size()) RC_FAIL(what + ": other numbers of results");
  for (std::size_t i = 0; i < a.further.size(); ++i)
    require_same(what + ", the second result", a.further[i], b.further[i]);
}

std::vector<std::vector<std::byte>> elements_of(const Answer& answer) {
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  std::vector<std::vector<std::byte>> elements;
  for (std::size_t at = 0; at + size <= answer.bytes.size(); at += size)
    elements.emplace_back(answer.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                          answer.bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
  return elements;
}

void require_elements(const std::string& what, const Answer& answer,
                      const std::vector<std::vector<std::byte>>& expected) {
  Answer flat = answer;
  flat.sizes = {static_cast<std::int64_t>(elements_of(answer).size())};
  Answer wanted = flat;
  wanted.sizes = {static_cast<std::int64_t>(expected.size())};
  wanted.bytes.clear();
  for (const std::vector<std::byte>& element : expected)
    wanted.bytes.insert(wanted.bytes.end(), element.begin(), element.end());
  require_same(what, flat, wanted);
}

std::vector<std::int64_t> positions_of(const Dims& sizes, const Dims& strides) {
  std::vector<std::int64_t> positions;
  for_each_index(sizes, [&](const Dims& index) {
    std::int64_t position = 0;
    for (std::size_t d = 0; d < index.size(); ++d) position += index[d] * strides[d];
    positions.push_back(position);
  });
  return positions;
}

bool counts_up(const std::vector<std::int64_t>& positions) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

bool fills(std::vector<std::int64_t> positions) {
  std::sort(positions.begin(), positions.end());
  return counts_up(positions);
}

Dims strides_of(const Operand& operand) {
  return operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
}

bool same_strides(const Dims& sizes, const Dims& a, const Dims& b) {
  if (numel(sizes) == 0) return true;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1 && a[d] != b[d]) return false;
  return true;
}

bool follows_iterator(const Case& c) {
  CaseCall maker;
  return c.op->spec->layout == ResultLayout::kIterator && !c.op->is_composition(maker.make(c)) &&
         c.op->spec->written.empty() &&
         !c.op->spec->overloads[static_cast<std::size_t>(c.overload)].generated_out;
}

Exclusion two_paths(std::string_view counterexample) {
  return {.system = "libtorch:cpu",
          .reason =
              "its vector code and its scalar code differ in the sign of a zero or in NaN, and the "
              "place and strides of an element decide which one computes it",
          .counterexample = counterexample,
          .matches = &has_two_paths,
          .grounds =
              "entry: later-of-equal-zeros-in-the-vector-body, "
              "softshrink-zero-has-no-sign-in-the-vector-body, "
              "lerp-zero-has-another-sign-in-the-vector-body, "
              "mask-backward-nan-in-the-vector-body, activation-backward-formula, "
              "logit-backward-nan-in-the-scalar-tail, abs-of-a-negative-float8-zero"};
}

Exclusion scalar_divisors(std::string_view counterexample) {
  return {
      .system = "libtorch:cpu",
      .reason =
          "for float16 and bfloat16 a divisor of one element is handled by a kernel that does not "
          "round the quotient before it truncates or floors it",
      .counterexample = counterexample,
      .ops = {"div", "floor_divide", "remainder"},
      .grounds = "entry: div-trunc-rounds-before-it-truncates, floor-division-rounds-every-step"};
}

Exclusion scalar_factors(std::string_view counterexample) {
  return {.system = "libtorch:cpu",
          .reason = "mul of float8 has a kernel for tensors, and none for one element",
          .counterexample = counterexample,
          .ops = {"mul"},
          .matches = &has_float8,
          .grounds = "entry: mul-float8-refuses-a-scalar"};
}

Exclusion unrounded_factors(std::string_view counterexample) {
  return {.system = "libtorch:cpu",
          .reason = "a second factor that is one element is not rounded to float16 or bfloat16",
          .counterexample = counterexample,
          .ops = {"mul"},
          .matches =
              [](const Case& c) {
                const DType self = c.arguments[0].dtype, other = c.arguments[1].dtype;
                return (self == DType::kFloat16 || self == DType::kBFloat16) && self != other;
              },
          .grounds = "entry: mul-div-second-element-unrounded"};
}

Exclusion channels(std::string_view counterexample) {
  return {.system = kEverySystem,
          .reason = "prelu takes a weight of one element or a vector of one a channel",
          .counterexample = counterexample,
          .ops = {"prelu"},
          .grounds = "witness: PyTorch's documentation of PReLU"};
}

std::string to_text(const Dims& dims) {
  std::string text = "(";
  for (const std::int64_t dim : dims) text += (text.size() > 1 ? "," : "") + std::to_string(dim);
  return text + ")";
}

void ignore_layouts(const Case& c, Answer& answer) { answer = our_answer(misread(c)); }

void answer_contiguous(const Case&, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor) answer.strides = contiguous_strides(answer.sizes);
}

void refuse(Answer& answer) {
  answer = {};
  answer.tag = Answer::Tag::kRefusal;
}

}  // namespace upcast::properties
