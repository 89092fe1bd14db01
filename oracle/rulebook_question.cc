#include "oracle/rulebook_question.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "impl/core/cast.h"
#include "oracle/same_value.h"

namespace upcast {
namespace {

using rulebooks::Rank;

/// The first element, or 1 where the case gives none.
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
      // uint64 is how a Scalar holds a Python int from 2^63 on
      const DType dtype = number.dtype() == DType::kUInt64 ? DType::kInt64 : number.dtype();
      return {dtype, Rank::kNumber, static_cast<long double>(value)};
    }
  });
}

/// Whether the parameter at a position takes part in promotion.
bool promotes(const Case& c, std::size_t position) {
  const OpSpec& spec = *c.op->spec;
  if (spec.operands[0].empty()) return true;  // a function of dtypes: all of them
  const std::string_view parameter = c.schema().parameters[position].name;
  const auto named = std::find(spec.operands.begin(), spec.operands.end(), parameter);
  if (named == spec.operands.end()) return false;
  return (spec.unpromoted_operands >> (named - spec.operands.begin()) & 1) == 0;
}

}  // namespace

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
    if (operand.tag == Operand::Tag::kDType) {
      asked.operands.push_back({operand.dtype, Rank::kDim, 1});
    } else if (!promotes(c, i)) {
      continue;
    } else if (operand.tag == Operand::Tag::kTensor) {
      asked.operands.push_back({operand.dtype, operand.sizes.empty() ? Rank::kZeroDim : Rank::kDim,
                                operand.sizes.empty() ? first_value(operand) : 1});
    } else if (operand.tag == Operand::Tag::kNumber) {
      asked.operands.push_back(number_operand(operand.number));
    }
  }
  return asked;
}

}  // namespace upcast
