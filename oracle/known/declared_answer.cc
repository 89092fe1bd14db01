#include "oracle/known/declared_answer.h"

#include <cstring>

#include "cases/literal.h"
#include "cases/operand_text.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/judge.h"
#include "oracle/same_value.h"

namespace upcast {
namespace {

/// The elements of a declared text in a dtype. Nothing if the dtype cannot hold them: then the
/// declaration does not fit the case.
std::optional<std::vector<std::byte>> elements(std::string_view text, DType dtype,
                                               const Dims& sizes) {
  try {
    TextCursor cursor(text);
    if (text.starts_with('{')) return parse_values(cursor, dtype, sizes);
    std::vector<std::byte> bytes;
    parse_element(cursor, dtype, bytes);
    return bytes;
  } catch (const SyntaxFault&) {
    return std::nullopt;
  }
}

/// What a declared 0 is converted to in a dtype without a zero: 2^-127 in float8_e8m0fnu. Nothing
/// if the text is no 0.
std::optional<std::vector<std::byte>> converted_zero(std::string_view text, DType dtype) {
  const auto zero = elements(text, DType::kFloat64, {});
  if (!zero || !is_floating(dtype)) return std::nullopt;
  double value = 0;
  std::memcpy(&value, zero->data(), sizeof value);
  if (value != 0) return std::nullopt;
  std::vector<std::byte> element(static_cast<std::size_t>(itemsize(dtype)));
  cast_elements(DType::kFloat64, zero->data(), dtype, element.data(), 1);
  return element;
}

/// Whether two answers are tensors of the same dtype and the same shape.
bool are_alike(const Answer& a, const Answer& b) {
  return a.tag == Answer::Tag::kTensor && b.tag == a.tag && a.dtype == b.dtype &&
         a.sizes == b.sizes && a.bytes.size() == b.bytes.size();
}

bool agree(const Case& c, const Answer& expected, const Answer& answer, Sides sides = {}) {
  return judge(c, expected, answer, sides).code == VerdictCode::kAgree;
}

/// The model's answer, but with `right`'s element wherever `answer` is right.
Answer with_right_elements(Answer model, const Answer& right, const Answer& answer) {
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  for (std::size_t at = 0; at < right.bytes.size(); at += size)
    if (std::memcmp(answer.bytes.data() + at, right.bytes.data() + at, size) == 0)
      std::memcpy(model.bytes.data() + at, right.bytes.data() + at, size);
  return model;
}

/// The code that a text as "(promotion)" names; nothing for "". Throws UsageError for any other
/// text.
std::optional<RejectionCode> missed_reason(std::string_view text, std::string_view id) {
  if (text.empty()) return std::nullopt;
  for (std::size_t i = 0; i < kRejectionNames.size(); ++i)
    if (text == "(" + std::string(kRejectionNames[i]) + ")") return static_cast<RejectionCode>(i);
  throw UsageError("known difference " + std::string(id) + ": 'answers" + std::string(text) +
                   "' does not name a reason for a refusal; write answers, or answers(promotion)");
}

}  // namespace

DeclaredAnswer::DeclaredAnswer(std::string_view text, std::string_view id) : text_(text) {
  const int dtype = find_dtype_code(text);
  TextCursor cursor(text);
  if (text == "refuses") {
    tag_ = Tag::kRefuses;
  } else if (text.starts_with("answers")) {
    tag_ = Tag::kAnswers;
    missed_ = missed_reason(text.substr(std::string_view("answers").size()), id);
  } else if (dtype != kDTypeCount) {
    tag_ = Tag::kDType;
    dtype_ = dtype_from_code(dtype);
  } else if (text == "timeout" || text == "crash" || text.starts_with("crash(")) {
    tag_ = Tag::kDeath;
  } else if (text.starts_with("model:")) {
    tag_ = Tag::kModel;
    model_ = find_known_model(text.substr(6));
    if (!model_) {
      throw UsageError("known difference " + std::string(id) + ": there is no '" + text_ +
                       "'; the models are " + known_model_names());
    }
  } else if (text.starts_with('{')) {
    tag_ = Tag::kValues;
  } else if (number_comes_next(cursor)) {
    tag_ = Tag::kValue;
  } else {
    throw UsageError("known difference " + std::string(id) + ": '" + text_ +
                     "' is not an answer; write refuses, answers, a dtype, a value, {values}, "
                     "crash(SIGFPE), timeout or model:NAME");
  }
}

DeclaredAnswer::DeclaredAnswer(const KnownDifference& entry, Sides of_paths)
    : DeclaredAnswer(entry.wrong_answer, entry.id) {
  of_paths_ = of_paths;
  if (!model_) return;
  for (const std::string_view op : entry.selector->ops())
    if (!model_->knows(op))
      throw UsageError(
          "known difference " + entry.id + ": its selectors name the op " + std::string(op) +
          ", but " + text_ + " knows " + model_->ops() +
          " only; select no other op, or add a row for it to the model in oracle/known");
}

bool DeclaredAnswer::is_death(const Reply& reply) const {
  return tag_ == Tag::kDeath && reply.died() &&
         (text_ == reply.death || (text_ == "crash" && !reply.timed_out()));
}

bool DeclaredAnswer::is(const Case& c, const Answer& right, const Answer& oracle) const {
  const bool answers = oracle.tag == Answer::Tag::kTensor || oracle.tag == Answer::Tag::kDType;
  switch (tag_) {
    case Tag::kRefuses:
      return oracle.tag == Answer::Tag::kRefusal;
    case Tag::kAnswers:
      return answers && right.tag == Answer::Tag::kRefusal &&
             (!missed_ || right.rejection == *missed_);
    case Tag::kDType:
      return answers && oracle.dtype == dtype_;
    case Tag::kValue:
    case Tag::kValues:
      return oracle.tag == Answer::Tag::kTensor && values_are(c, right, oracle);
    case Tag::kModel: {
      if (model_->allows_several(c.op->spec->name))
        return are_alike(right, oracle) && is_partly(c, right, oracle);
      const std::optional<Answer> expected = model_->answer(c, right);
      return expected && agree(c, *expected, oracle);
    }
    case Tag::kDeath:
      return text_ == "crash" && oracle.tag == Answer::Tag::kBroken;
  }
  return false;
}

bool DeclaredAnswer::is_scalar_path(const Case& c, const Answer& right, const Answer& oracle,
                                    const Answer& other) const {
  if (!is(c, right, oracle)) return false;
  constexpr Sides kAgainstOurs{Implementation::kOurs, Implementation::kLibTorchNative};
  if (!are_alike(right, oracle) || !are_alike(right, other))
    return agree(c, right, other, kAgainstOurs);
  const bool has_paths = model_ && model_->knows_paths(c.op->spec->name);
  const std::optional<Answer> path = has_paths ? model_->nearest(c, right, other) : std::nullopt;
  return agree(c, with_right_elements(path.value_or(right), oracle, other), other, kAgainstOurs);
}

bool DeclaredAnswer::is_partly(const Case& c, const Answer& right, const Answer& wrong) const {
  if (!are_alike(right, wrong) || tag_ != Tag::kModel) return is(c, right, wrong);
  std::optional<Answer> expected = model_->nearest(c, right, wrong);
  if (!expected || expected->bytes.size() != right.bytes.size()) return false;
  return agree(c, with_right_elements(std::move(*expected), right, wrong), wrong, of_paths_);
}

Answer DeclaredAnswer::without_declared(const Case& c, const Answer& right,
                                        const Answer& wrong) const {
  if (!are_alike(right, wrong) || (tag_ != Tag::kModel && tag_ != Tag::kValue)) return right;
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  std::optional<Answer> expected = right;
  if (model_) {
    expected = model_->nearest(c, right, wrong);
  } else if (const auto value = elements(text_, right.dtype, right.sizes)) {
    for (std::size_t at = 0; at < right.bytes.size(); at += size)
      std::memcpy(expected->bytes.data() + at, value->data(), size);
  }
  if (!expected || !are_alike(*expected, wrong)) return right;
  Answer left = wrong;
  for (const std::size_t i : differing_elements(c, *expected, wrong, of_paths_))
    std::memcpy(left.bytes.data() + i * size, right.bytes.data() + i * size, size);
  return left;
}

bool DeclaredAnswer::values_are(const Case& c, const Answer& right, const Answer& oracle) const {
  auto wrong = elements(text_, oracle.dtype, oracle.sizes);
  if (!wrong && tag_ == Tag::kValue) wrong = converted_zero(text_, oracle.dtype);
  if (!wrong) return false;
  Answer expected = oracle;
  if (tag_ == Tag::kValues) {
    expected.bytes = *wrong;
    return agree(c, expected, oracle);
  }
  // Replaces each element that has the declared value by the right one. The declaration holds if
  // nothing differs then.
  if (right.tag != oracle.tag || right.dtype != oracle.dtype || right.sizes != oracle.sizes) {
    return false;
  }
  const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
  for (std::size_t at = 0; at < expected.bytes.size(); at += size) {
    if (same_value(oracle.dtype, oracle.bytes.data() + at, wrong->data()))
      std::memcpy(expected.bytes.data() + at, right.bytes.data() + at, size);
  }
  return agree(c, right, expected);
}

}  // namespace upcast
