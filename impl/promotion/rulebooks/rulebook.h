// A rule book: what one promotion system answers to a question. Constexpr and header-only. A
// question holds dtypes, and values only for systems that look at them.
#pragma once

#include <span>
#include <string_view>

#include "impl/core/dtype_set.h"

namespace upcast::rulebooks {

/// What kind of operand it is. The list has all kinds that some promotion system distinguishes.
enum class Rank : std::uint8_t {
  kDim,            // an array of one or more dimensions; the operand of promote_types
  kZeroDim,        // an array without dimensions
  kLibraryScalar,  // NumPy's np.int8(1)
  kWeak,           // JAX's weakly typed array
  kNumber          // a Python number
};

/// An operand of a question. A kNumber has dtype bool, int64, float64 or complex128.
struct Operand {
  DType dtype = DType::kUndefined;
  Rank rank = Rank::kDim;
  /// The value of a zero-dim array, scalar or number: of a complex one the larger magnitude of its
  /// parts. The 64 bits of a long double hold every int64 and uint64, and 2^64.
  long double value = 1;
  int dims = 0;  // how many dimensions an array has
};

/// The form of a call, for systems whose rules depend on it.
enum class Form : std::uint8_t {
  kFunction,
  kOperator,
  kInPlace,
  kOut,
  kDTypeArgument  // a call with dtype=
};

struct Question {
  std::string_view op;  // as PyTorch spells it: canonical_op()
  std::span<const Operand> operands{};
  Form form = Form::kFunction;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;  // the dtype of out=, or what dtype= names
  int opset = 9;                  // version of ONNX's op set
};

/// A dtype, a refusal, or kOutside: the book says nothing. `rule`: the deciding rule in words.
struct Reply {
  enum class Tag : std::uint8_t { kDType, kRefused, kOutside };
  Tag tag = Tag::kOutside;
  DType dtype = DType::kUndefined;
  bool weak = false;  // JAX: the result is weakly typed
  std::string_view rule{};
  int dims = -1;  // dimensions of the result; -1: the book does not say

  constexpr bool ok() const { return tag == Tag::kDType; }
  /// Whether both answer alike; rules and dims are not compared.
  constexpr bool operator==(const Reply& other) const {
    return tag == other.tag && dtype == other.dtype && weak == other.weak;
  }
};

constexpr Reply gives(DType dtype, std::string_view rule, bool weak = false) {
  return {Reply::Tag::kDType, dtype, weak, rule};
}
constexpr Reply refuses(std::string_view rule) {
  return {Reply::Tag::kRefused, DType::kUndefined, false, rule};
}
constexpr Reply outside(std::string_view rule) {
  return {Reply::Tag::kOutside, DType::kUndefined, false, rule};
}

using AnswerFunction = Reply (*)(const Question&);

/// What a book says of one operand.
struct Part {
  int priority = 0;             // 0: the book has no priorities
  std::string_view category{};  // "": the book has no categories
  bool participates = true;
  DType enters_as = DType::kUndefined;  // kUndefined: the book does not say
};

/// What a book says of the operand at `position` of a question.
using PartFunction = Part (*)(const Question&, std::size_t position);

struct RuleBook {
  std::string_view name;     // NAME of the side rulebook:NAME
  std::string_view title;    // whose rules
  std::string_view version;  // of the library or the document
  std::string_view origin;   // where the rules were read
  DTypeSet dtypes;           // the dtypes that the book knows; for others it answers kOutside
  AnswerFunction answer;
  PartFunction part = nullptr;        // null: the book says nothing of single operands
  bool knows_dtype_argument = false;  // Form::kDTypeArgument
};

/// The book's reply; kOutside where an operand has a dtype that the book does not know.
constexpr Reply ask(const RuleBook& book, const Question& question) {
  if (question.operands.empty()) return outside("no operand");
  if (question.form == Form::kDTypeArgument && !book.knows_dtype_argument)
    return outside("the rule book is silent on dtype=");
  const bool of_two = question.op == "promote_types" || question.op.starts_with("can_cast");
  if (of_two && question.operands.size() != 2) return outside("a function of two dtypes");
  for (const Operand& operand : question.operands)
    if (operand.rank != Rank::kNumber && !book.dtypes.contains(operand.dtype))
      return outside("a dtype that the rule book does not know");
  return book.answer(question);
}

constexpr bool is_number(const Operand& operand) { return operand.rank == Rank::kNumber; }

/// Whether `text` is one of the words of `list`, which are separated by single blanks.
constexpr bool is_one_of(std::string_view text, std::string_view list) {
  while (!list.empty()) {
    const auto end = list.find(' ');
    if (list.substr(0, end) == text) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace upcast::rulebooks
