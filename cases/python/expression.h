// The subset of Python's grammar in which people ask about a call of PyTorch:
//
//   question    statement (";" or newline statement)* ["with" NAME "=" comparison ("," ...)*]
//   statement   comparison [("=" | "+=" | "-=" | ...) comparison]
//   comparison  operators by Python's precedence: == != < <= > >=, then | ^ & << >> + - * / // %,
//               then unary + - ~, then **
//   primary     atom ("." NAME | "(" arguments ")")*
//   atom        NAME, a number, 'text' or "text", a tuple, a list, or a tensor or number of the
//               case notation: int32[3]{1,2,3}, bits:0x7f
//
// Reading gives names no meaning: cases/python/question.h says what they stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/operand_text.h"

namespace upcast::python {

struct Argument;

struct Expression {
  enum class Kind : std::uint8_t {
    kName,       // word
    kOperand,    // a number, a text, None or a tensor, in `operand`
    kSequence,   // a tuple or a list, whose items are `parts`
    kAttribute,  // parts[0].word
    kCall,       // parts[0](arguments)
    kUnary,      // word parts[0]
    kBinary      // parts[0] OPERATOR parts[1], the operator in `word`
  };
  Kind kind = Kind::kName;
  std::size_t position = 0;  // in the text: of the first character, or of `word`
  std::size_t end = 0;       // of a call: the position of its closing parenthesis
  std::string word{};
  Operand operand{};
  std::vector<Expression> parts{};
  std::vector<Argument> arguments;  // without an initializer {}: Argument is still incomplete
};

struct Argument {
  std::size_t position = 0;
  std::string keyword{};  // "" for an argument by position
  Expression value{};
};

/// A statement: `value`, `target = value` or `target += value` (sign "+").
struct Statement {
  enum class Kind : std::uint8_t { kExpression, kAssignment, kInPlace };
  Kind kind = Kind::kExpression;
  std::size_t position = 0;  // position of "=" or "+="
  Expression target{};
  std::string sign{};
  Expression value{};
};

struct Program {
  std::vector<Statement> statements;  // never empty; the last one is the question
  std::vector<Argument> given;        // the values of variables after `with`
};

/// Reads a program up to the end of the text, to "->", or to "@" with a setting's name. Leaves the
/// cursor there. Throws SyntaxFault. For a part of Python that is not supported, the fault has a
/// hint.
Program parse_program(TextCursor& cursor);

/// The program's text as one line: comments and newlines in brackets become blanks, other newlines
/// ';'. Every character keeps its position.
std::string as_one_line(std::string_view text);

}  // namespace upcast::python
