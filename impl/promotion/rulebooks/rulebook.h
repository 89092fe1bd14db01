// A rule book is what one promotion system answers to questions. It is constexpr and header-only. A
// question holds dtypes; it also holds values, for systems that look at them.
#pragma once

#include <span>
#include <string_view>

#include "impl/core/dtype_set.h"

namespace upcast::rulebooks {

/// The kind of an operand. The list has all kinds that some promotion system distinguishes.
enum class Rank : std::uint8_t {
  kDim,            // an array with dimensions; also promote_types' operand
  kZeroDim,        // an array without dimensions
  kLibraryScalar,  // a scalar of the library, such as NumPy's np.int8(1)
  kWeak,           // a weakly typed array of JAX
  kNumber          // a Python number
};

/// An operand of a question. If it is a kNumber, its dtype is bool, int64, float64 or complex128.
struct Operand {
  DType dtype = DType::kUndefined;
  Rank rank = Rank::kDim;
  /// The value of a zero-dim array, scalar or number. For a complex value it is the larger
  /// magnitude of its parts. The significand of a long double has 64 bits, so it holds every int64,
  /// every uint64, and 2^64.
  long double value = 1;
  int dims = 0;  // number of dimensions of an array
};

/// The form of a call, for systems whose rules depend on it.
enum class Form : std::uint8_t {
  kFunction,
  kOperator,
  kInPlace,
  kOut,
  kDTypeArgument  // a call with the argument dtype=
};

struct Question {
  std::string_view op;  // PyTorch's name of the op; see canonical_op()
  std::span<const Operand> operands{};
  Form form = Form::kFunction;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;  // dtype of out=, or value of dtype=
  int opset = 9;                  // version of ONNX's op set, for exports
};

/// A rule book's answer to a question: a dtype, a refusal, or kOutside if the book does not say.
/// `rule` is the deciding rule in words.
struct Reply {
  enum class Tag : std::uint8_t { kDType, kRefused, kOutside };
  Tag tag = Tag::kOutside;
  DType dtype = DType::kUndefined;
  bool weak = false;  // for JAX: whether the result is weakly typed
  std::string_view rule{};
  int dims = -1;  // number of dimensions of the result; -1: the book does not say

  constexpr bool ok() const { return tag == Tag::kDType; }
  /// Whether both replies are the same. `rule` and `dims` are not compared.
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

/// What a rule book says of one operand of a question.
struct Part {
  int priority = 0;             // 0 if the book has no priorities
  std::string_view category{};  // "" if the book has no categories
  bool participates = true;
  DType enters_as = DType::kUndefined;  // kUndefined if the book does not say
};

/// Gives what a rule book says of the operand at `position` of a question.
using PartFunction = Part (*)(const Question&, std::size_t position);

struct RuleBook {
  std::string_view name;     // the side rulebook:NAME has this name
  std::string_view title;    // the system or document whose rules these are
  std::string_view version;  // version of the library or the document
  std::string_view origin;   // where the rules were read: source or document
  DTypeSet dtypes;           // dtypes that the book knows; others are kOutside
  AnswerFunction answer;
  PartFunction part = nullptr;        // null if the book never speaks of one operand
  bool knows_dtype_argument = false;  // whether the book answers for Form::kDTypeArgument
};

/// The book's reply to a question. It is kOutside if an operand has a dtype that the book does not
/// know.
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

/// Whether `text` is a word of `list`, whose words are separated by single blanks.
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
