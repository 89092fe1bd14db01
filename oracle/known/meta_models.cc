// Models of the meta device, which answers without reading the elements of its operands.
#include "impl/iterator/compute_shape.h"
#include "oracle/known/known_models.h"
#include "oracle/subject.h"

namespace upcast::models {
namespace {

/// The answer is a tensor like the one that the call writes: out=, or self in place. In the
/// functional form, and if out= is resized, it is row-major, with the dtype of self and the
/// broadcast shape of the first two operands. Nothing if self is a number.
std::optional<Answer> like_the_written_operand(const Case& c, const Answer&) {
  const std::string_view named = c.op->spec->written;
  const int self = c.schema().find(named.empty() ? c.op->spec->operands[0] : named);
  const Operand& written = c.operand(c.form == Form::kOut ? kOutPosition : self);
  if (written.tag != Operand::Tag::kTensor) return std::nullopt;
  Answer answer{.tag = Answer::Tag::kTensor, .dtype = written.dtype, .sizes = written.sizes};
  Dims shape;
  for (const int operand : {0, 1})
    if (c.form != Form::kInPlace && !broadcast_into(shape, c.arguments[operand].sizes))
      return std::nullopt;
  const bool made =
      c.form != Form::kInPlace && (c.form == Form::kFunctional || shape != written.sizes);
  if (made) answer.sizes = shape;
  answer.strides =
      made || written.strides.empty() ? contiguous_strides(answer.sizes) : written.strides;
  answer.without_values = true;
  return answer;
}

/// add and sub: the answer to the call with an alpha of 1, which any dtype accepts.
std::optional<Answer> as_with_a_whole_alpha(const Case& c, const Answer&) {
  Case whole = c;
  whole.arguments[static_cast<std::size_t>(c.schema().find("alpha"))].number = Number(1);
  Answer answer;
  make_subject("impl:meta")->answer(whole, answer);
  return answer;
}

}  // namespace

ModelRows meta_models() {
  return {
      {"like_the_written_operand",
       {"masked_fill", "copy", "pow", "float_power", "bitwise_left_shift", "bitwise_right_shift",
        "floor_divide", "logit", "relu", "relu6", "rrelu", "hardtanh", "hardswish"},
       like_the_written_operand},
      {"as_with_a_whole_alpha", {"add", "sub"}, as_with_a_whole_alpha},
  };
}

}  // namespace upcast::models
