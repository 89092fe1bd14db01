#include "oracle/rulebook_question.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "cases/notation.h"
#include "cases/operand_text.h"
#include "impl/core/cast.h"
#include "impl/core/error.h"
#include "oracle/same_value.h"

namespace upcast {
namespace {

using rulebooks::Rank;

/// The value of an operand's first element; 1 if the case gives no values.
long double first_value(const Operand& operand) {
  if (operand.values.empty() || !kElementwise.contains(operand.dtype)) return 1;
  if (is_integral(operand.dtype) && operand.dtype != DType::kUInt64) {
    std::int64_t value = 0;
    cast_elements(operand.dtype, operand.values.data(), DType::kInt64,
                  reinterpret_cast<std::byte*>(&value), 1);
    return value;
  }
  const auto [re, im] = parts_of(operand.dtype, operand.values.data());
  return is_complex(operand.dtype) ? std::max(std::abs(re), std::abs(im)) : re;
}

rulebooks::Operand number_operand(const Number& number) {
  return number.visit([&number](auto value) -> rulebooks::Operand {
    if constexpr (std::is_same_v<decltype(value), Complex<double>>) {
      const double larger = std::max(std::abs(value.re), std::abs(value.im));
      return {DType::kComplex128, Rank::kNumber, larger};
    } else {
      // A Scalar holds a Python integer from 2^63 on as uint64. For rule books it is an int64, as
      // any other integer.
      const DType dtype = number.dtype() == DType::kUInt64 ? DType::kInt64 : number.dtype();
      return {dtype, Rank::kNumber, static_cast<long double>(value)};
    }
  });
}

/// Whether the parameter at a position of the schema takes part in promotion.
bool promotes(const Case& c, std::size_t position) {
  const OpSpec& spec = *c.op->spec;
  // A function of dtypes has no operands in its spec; all its parameters take part.
  if (spec.operands[0].empty()) return true;
  const std::string_view parameter = c.schema().parameters[position].name;
  const auto named = std::find(spec.operands.begin(), spec.operands.end(), parameter);
  if (named == spec.operands.end()) return false;
  return spec.promotes(named - spec.operands.begin());
}

/// An operand as rule books are asked about it: a tensor, a number or a dtype. Nothing for an
/// operand that takes no part, such as an undefined tensor.
std::optional<rulebooks::Operand> asked_operand(const Operand& operand) {
  switch (operand.tag) {
    case Operand::Tag::kDType:
      return rulebooks::Operand{operand.dtype, Rank::kDim, 1};
    case Operand::Tag::kTensor: {
      const bool zero_dim = operand.sizes.empty();
      return rulebooks::Operand{operand.dtype, zero_dim ? Rank::kZeroDim : Rank::kDim,
                                zero_dim ? first_value(operand) : 1,
                                static_cast<int>(operand.sizes.size())};
    }
    case Operand::Tag::kNumber:
      return number_operand(operand.number);
    default:
      return std::nullopt;
  }
}

/// The op's name as rule books know it, without a system's prefix, and without the "_" of an
/// in-place form.
std::string asked_op(std::string_view name, rulebooks::Form& form) {
  if (const std::string_view known = rulebooks::canonical_op(name); known != name)
    return std::string(known);
  for (const std::string_view prefix :
       {"torch.", "paddle.nn.functional.", "paddle.", "jax.numpy.", "jnp.", "numpy.", "np."}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    break;
  }
  if (name.size() > 1 && name.ends_with('_')) {
    name.remove_suffix(1);
    form = rulebooks::Form::kInPlace;
  }
  return std::string(rulebooks::canonical_op(name));
}

void parse_asked_argument(TextCursor& cursor, CaseQuestion& asked) {
  cursor.skip_blanks();
  const std::size_t start = cursor.position();
  TextCursor ahead = cursor;
  const std::string_view keyword = ahead.word();
  if (keyword.empty() || !ahead.accept_spaced("=")) {
    const Operand written = parse_operand(cursor);
    const std::optional<rulebooks::Operand> operand = asked_operand(written);
    if (!operand) TextCursor::fail_at(start, "expected a tensor, a number or a dtype");
    asked.texts.push_back(print_operand(written));
    asked.operands.push_back(*operand);
    return;
  }
  if (keyword != "dtype" && keyword != "out")
    TextCursor::fail_at(start,
                        "a question to rule books takes no arguments by name but dtype= and out=");
  if (asked.out != DType::kUndefined)
    TextCursor::fail_at(start, "either dtype= or out=, and only once");
  ahead.skip_blanks();
  cursor = ahead;
  const Operand operand = parse_operand(cursor);
  const bool is_dtype = operand.tag == Operand::Tag::kDType;
  if (keyword == "dtype" ? !is_dtype : operand.tag != Operand::Tag::kTensor)
    TextCursor::fail_at(start, is_dtype ? "out= takes a tensor" : "dtype= takes a dtype");
  asked.out = operand.dtype;
  asked.form = is_dtype ? rulebooks::Form::kDTypeArgument : rulebooks::Form::kOut;
}

CaseQuestion parse_question_or_fault(std::string_view line) {
  TextCursor cursor(line);
  CaseQuestion asked;
  cursor.skip_blanks();
  const std::string_view name = cursor.word(".");
  if (name.empty()) cursor.fail("expected an op, as in add(int32[3], 5.5)");
  asked.op = asked_op(name, asked.form);
  cursor.expect("(", "after the op");
  do {
    parse_asked_argument(cursor, asked);
  } while (cursor.accept_spaced(","));
  cursor.expect(")", "or ',' after an argument");
  if (cursor.accept_spaced("@default=")) asked.default_dtype = parse_dtype(cursor);
  cursor.skip_blanks();
  if (!cursor.at_end()) cursor.fail("expected the end of the line, found " + cursor.found());
  return asked;
}

}  // namespace

CaseQuestion parse_question(std::string_view line) {
  try {
    return parse_question_or_fault(line);
  } catch (const SyntaxFault& fault) {
    throw UsageError("column " + std::to_string(fault.position + 1) + ": " + fault.message);
  }
}

CaseQuestion question_of(const Case& c) {
  CaseQuestion asked;
  asked.op = rulebooks::canonical_op(c.op->spec->name);
  asked.default_dtype = c.defaults.floating;
  if (c.form == Form::kInPlace) asked.form = rulebooks::Form::kInPlace;
  if (c.form == Form::kOut) {
    asked.form = rulebooks::Form::kOut;
    asked.out = c.out.dtype;
  }
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Operand& operand = c.arguments[i];
    if (operand.tag == Operand::Tag::kText && c.schema().parameters[i].name == "rounding_mode")
      asked.op += "_" + operand.text;
    if (operand.tag != Operand::Tag::kDType && !promotes(c, i)) continue;
    const std::optional<rulebooks::Operand> asking = asked_operand(operand);
    if (!asking) continue;
    asked.texts.push_back(print_operand(operand));
    asked.operands.push_back(*asking);
  }
  return asked;
}

}  // namespace upcast
