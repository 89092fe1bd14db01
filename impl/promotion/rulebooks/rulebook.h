// A rule book: what one promotion system answers to a question. Constexpr, header-only, no values
// but those that a value-based system looks at.
#pragma once

#include <span>
#include <string_view>

#include "impl/core/dtype_set.h"

namespace upcast::rulebooks {

/// How an operand comes, as far as any system tells it apart.
enum class Rank : std::uint8_t {
  kDim,            // an array of one or more dimensions; the operand of promote_types
  kZeroDim,        // an array without dimensions
  kLibraryScalar,  // NumPy's np.int8(1)
  kWeak,           // JAX's weakly typed array
  kNumber          // a Python number
};

/// dtype of a kNumber: bool, int64, float64 or complex128, by its kind.
struct Operand {
  DType dtype = DType::kUndefined;
  Rank rank = Rank::kDim;
  /// Of a zero-dim array, scalar or number. Of a complex one, the larger magnitude of its parts.
  /// The 64 bits of a long double hold every int64 and uint64, and 2^64.
  long double value = 1;
  int dims = 0;  // how many an array has
};

/// Where systems treat the forms of a call apart.
enum class Form : std::uint8_t {
  kFunction,
  kOperator,
  kInPlace,
  kOut,
  kDTypeArgument  // dtype=, a question to books that speak of it
};

struct Question {
  std::string_view op;  // as PyTorch spells it: canonical_op()
  std::span<const Operand> operands{};
  Form form = Form::kFunction;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;  // of Form::kOut and kDTypeArgument
  int opset = 9;                  // of an ONNX question
};

/// A dtype, a refusal, or that the book says nothing; `rule` is the deciding rule in words.
struct Reply {
  enum class Tag : std::uint8_t { kDType, kRefused, kOutside };
  Tag tag = Tag::kOutside;
  DType dtype = DType::kUndefined;
  bool weak = false;  // JAX: the result is weakly typed
  std::string_view rule{};
  int dims = -1;  // of the result; -1: the book says nothing of them

  constexpr bool ok() const { return tag == Tag::kDType; }
  /// Of the answers; the rules and the dims are not compared.
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
  int priority = 0;             // 0: the book has none
  std::string_view category{};  // "": the book has none
  bool participates = true;
  DType enters_as = DType::kUndefined;  // kUndefined: the book does not say
};

/// Of the operand at `position`.
using PartFunction = Part (*)(const Question&, std::size_t position);

struct RuleBook {
  std::string_view name;     // of `rulebook:NAME`
  std::string_view title;    // whose rules
  std::string_view version;  // of the library or the document
  std::string_view origin;   // where they were read
  DTypeSet dtypes;           // that it knows; others are outside
  AnswerFunction answer;
  PartFunction part = nullptr;        // null: it says nothing of single operands
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
