// Short ways to ask rule books, for tests.
#pragma once

#include <initializer_list>
#include <ostream>

#include "impl/promotion/rulebooks/rulebooks.h"

namespace upcast::rulebooks {

inline void PrintTo(const Reply& reply, std::ostream* out) {
  *out << (reply.ok()                          ? name(reply.dtype)
           : reply.tag == Reply::Tag::kOutside ? "outside"
                                               : "refuses")
       << (reply.weak ? "*" : "") << " (" << reply.rule << ")";
}

namespace testing {

using enum DType;

constexpr Operand array(DType dtype) { return {dtype, Rank::kDim, 1}; }
constexpr Operand zero_dim(DType dtype, long double value = 1) {
  return {dtype, Rank::kZeroDim, value};
}
constexpr Operand weak(DType dtype) { return {dtype, Rank::kWeak, 1}; }
constexpr Operand number(bool value) { return {kBool, Rank::kNumber, value ? 1.0L : 0.0L}; }
constexpr Operand number(int value) { return {kInt64, Rank::kNumber, static_cast<double>(value)}; }
constexpr Operand number(double value) { return {kFloat64, Rank::kNumber, value}; }
inline constexpr Operand kImaginary{kComplex128, Rank::kNumber, 1};

constexpr Reply asked(const RuleBook& book, std::string_view op,
                      std::initializer_list<Operand> operands, Form form = Form::kOperator,
                      DType default_dtype = kFloat32) {
  return ask(book, {op, {operands.begin(), operands.size()}, form, default_dtype});
}

/// The expected reply with this dtype. It has no rule, because comparisons ignore the rule.
constexpr Reply is(DType dtype) { return gives(dtype, ""); }
constexpr Reply is_weak(DType dtype) { return gives(dtype, "", true); }
inline constexpr Reply kRefused = refuses("");
inline constexpr Reply kOutside = outside("");

}  // namespace testing
}  // namespace upcast::rulebooks
