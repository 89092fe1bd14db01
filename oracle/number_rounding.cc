#include "oracle/number_rounding.h"

#include <algorithm>

#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"
#include "oracle/same_value.h"
#include "oracle/ulp.h"

namespace upcast {
namespace {

bool computes_wider(DType dtype) {
  return dtype != DType::kUndefined && compute_dtype(dtype) != dtype;
}

/// Whether a dtype of the case is narrower than the dtype in which ops compute it.
bool has_narrow_dtype(const Case& c) {
  return computes_wider(c.defaults.floating) ||
         std::any_of(c.arguments.begin(), c.arguments.end(), [](const Operand& operand) {
           return operand.tag == Operand::Tag::kTensor && computes_wider(operand.dtype);
         });
}

bool may_leave_the_dtype(const Operand& operand) {
  return operand.tag == Operand::Tag::kNumber ||
         (operand.tag == Operand::Tag::kTensor && operand.sizes.empty());
}

/// Whether the argument is a number that the op's formula computes with, and not an operand.
bool is_computed_with(const Case& c, std::size_t argument) {
  const Parameter& parameter = c.schema().parameters[argument];
  const auto& operands = c.op->spec->operands;
  const bool is_of_a_formula = parameter.type == ParameterType::kScalar ||
                               parameter.type == ParameterType::kOptionalScalar ||
                               parameter.type == ParameterType::kFloat ||
                               parameter.type == ParameterType::kOptionalFloat;
  return is_of_a_formula && c.arguments[argument].tag == Operand::Tag::kNumber &&
         std::find(operands.begin(), operands.end(), parameter.name) == operands.end();
}

Number rounded(const Number& number, DType dtype) {
  const bool has_parts = is_complex(number.dtype()) && is_complex(dtype);
  const DType wide = has_parts ? DType::kComplex128 : DType::kFloat64;
  auto value = number_to<Complex<double>>(number);
  std::array<std::byte, 16> narrow;
  cast_elements(wide, reinterpret_cast<const std::byte*>(&value), dtype, narrow.data(), 1);
  cast_elements(dtype, narrow.data(), wide, reinterpret_cast<std::byte*>(&value), 1);
  return has_parts ? Number(value) : Number(value.re);
}

/// The case with its parameters rounded to the common dtype. A composition has no common dtype:
/// there, numbers are operands of its steps.
Case with_rounded_parameters(const Case& c) {
  Case changed = c;
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !computes_wider(promoted.value().common)) return changed;
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (is_computed_with(c, i))
      changed.arguments[i].number = rounded(c.arguments[i].number, promoted.value().common);
  return changed;
}

bool comparable(const Answer& a, const Answer& b) {
  return a.tag == Answer::Tag::kTensor && b.tag == Answer::Tag::kTensor && a.dtype == b.dtype &&
         a.bytes.size() == b.bytes.size();
}

/// Our answer with numbers rounded in one way. Tells for each element whether it is of the same
/// kind as in our answer without rounding.
struct Way {
  Answer answer;
  std::vector<bool> keeps_kind;
};

Way way_of(Answer answer, const Answer& own) {
  const auto size = static_cast<std::size_t>(itemsize(own.dtype));
  Way way{.answer = std::move(answer), .keeps_kind = std::vector<bool>(own.bytes.size() / size)};
  for (std::size_t i = 0; i < way.keeps_kind.size(); ++i)
    way.keeps_kind[i] =
        !is_floating(to_real(own.dtype)) ||
        are_of_one_kind(own.dtype, own.bytes.data() + i * size, way.answer.bytes.data() + i * size);
  return way;
}

/// For each element, whether a side's answer is within its bounds of our answer for one of the
/// ways.
std::vector<bool> accounted_for(const Case& c, const Answer& answer, Implementation side,
                                const std::vector<Way>& ways) {
  std::vector<bool> found(ways.front().keeps_kind.size(), false);
  for (const Way& way : ways) {
    std::vector<bool> passing = way.keeps_kind;
    for (const std::size_t i :
         differing_elements(c, answer, way.answer, {side, Implementation::kOurs}))
      passing[i] = false;
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = found[i] || passing[i];
  }
  return found;
}

}  // namespace

std::vector<NumberRounding> number_roundings(const Case& c) {
  std::vector<NumberRounding> ways;
  if (!has_narrow_dtype(c)) return ways;
  const bool has_operand = std::any_of(c.arguments.begin(), c.arguments.end(), may_leave_the_dtype);
  if (has_operand) ways.push_back({.c = c, .rounds_operands = true});
  const Case changed = with_rounded_parameters(c);
  if (changed.arguments == c.arguments) return ways;
  ways.push_back({.c = changed, .rounds_operands = false});
  if (has_operand) ways.push_back({.c = changed, .rounds_operands = true});
  return ways;
}

Answer answer_of(const NumberRounding& way) {
  ImplSubject subject;
  if (way.rounds_operands) subject.round_numbers();
  Answer answer;
  subject.answer(way.c, answer);
  return answer;
}

bool are_of_one_kind(DType dtype, const std::byte* a, const std::byte* b) {
  const ElementParts x = parts_of(dtype, a), y = parts_of(dtype, b);
  const double least = ulp_of(to_real(dtype), 0);
  const auto alike = [least](double one, double other) {
    const bool are_neighbours_of_0 = std::signbit(one) == std::signbit(other) &&
                                     std::abs(one) <= least && std::abs(other) <= least;
    return are_neighbours_of_0 || same_kind(one, other);
  };
  return alike(x[0], y[0]) && alike(x[1], y[1]);
}

bool differ_by_rounding_of_numbers(const Case& c, const Answer& subject, const Answer& oracle,
                                   Sides sides) {
  if (!comparable(subject, oracle)) return false;
  std::vector<Way> ways;
  for (const NumberRounding& rounding : number_roundings(c)) {
    if (ways.empty()) {
      Answer own = answer_of({.c = c});
      if (!comparable(own, oracle)) return false;
      ways.push_back(way_of(own, own));
    }
    Answer answer = answer_of(rounding);
    if (!comparable(answer, oracle)) return false;
    if (answer.bytes != ways.front().answer.bytes)
      ways.push_back(way_of(std::move(answer), ways.front().answer));
  }
  if (ways.size() < 2) return false;
  const std::vector<std::size_t> differing = differing_elements(c, subject, oracle, sides);
  const std::vector<bool> of_subject = accounted_for(c, subject, sides.subject, ways),
                          of_oracle = accounted_for(c, oracle, sides.oracle, ways);
  return !differing.empty() && std::all_of(differing.begin(), differing.end(), [&](std::size_t i) {
    return of_subject[i] && of_oracle[i];
  });
}

}  // namespace upcast
