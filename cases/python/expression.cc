#include "cases/python/expression.h"

#include <algorithm>
#include <array>

#include "cases/literal.h"
#include "cases/operand_text.h"
#include "cases/suggest.h"

namespace upcast::python {
namespace {

using Kind = Expression::Kind;
using Tag = Operand::Tag;

constexpr int kDeepest = 100;   // how deep brackets and signs may nest
constexpr int kLongest = 1000;  // how many operators, attributes and calls a text may have

struct BinaryOperator {
  std::string_view word;
  int level;  // as in Python's precedence: a higher level binds tighter
};
// An operator stands before those with which it begins, such as "<=" before "<".
constexpr int kComparison = 1;
constexpr std::array kBinaryOperators = std::to_array<BinaryOperator>({
    {"==", kComparison},
    {"!=", kComparison},
    {"<<", 5},
    {">>", 5},
    {"<=", kComparison},
    {">=", kComparison},
    {"<", kComparison},
    {">", kComparison},
    {"|", 2},
    {"^", 3},
    {"&", 4},
    {"+", 6},
    {"-", 6},
    {"//", 7},
    {"*", 7},
    {"/", 7},
    {"%", 7},
    {"@", 7},
});

struct Hint {
  std::string_view word;
  std::string_view instead;
};
// Words of Python that can follow an operand and are not supported, with a hint for each.
constexpr std::array kWordOperators = std::to_array<Hint>({
    {"and", "'and' asks bool() of a tensor; write a & b, or torch.logical_and(a, b)"},
    {"or", "'or' asks bool() of a tensor; write a | b, or torch.logical_or(a, b)"},
    {"is", "'is' compares objects; write a == b"},
    {"in", "'in' is not an elementwise op; write a == b"},
    {"not", "'not in' is not an elementwise op; write a != b"},
    {"if", "a conditional asks bool() of a tensor; write torch.where(condition, a, b)"},
    {"for", "loops are not supported; write one call"},
});
// Words of Python that begin a statement or an unsupported expression, with a hint for each.
constexpr std::array kWordsBefore = std::to_array<Hint>({
    {"not", "'not' asks bool() of a tensor; write ~a, or torch.logical_not(a)"},
    {"lambda", "functions are not supported; write one call"},
    {"import", "leave the import out: torch, F and nn are always known"},
    {"from", "leave the import out: torch, F and nn are always known"},
    {"def", "functions are not supported; write one call"},
    {"for", "loops are not supported; write one call"},
    {"if", "conditions are not supported; write one call"},
    {"await", "'await' is not supported; write one call"},
});

template <std::size_t n>
void refuse_word(const TextCursor& cursor, const std::array<Hint, n>& hints) {
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  for (const Hint& hint : hints)
    if (hint.word == word) cursor.fail(std::string(hint.instead));
}

class Parser {
 public:
  explicit Parser(TextCursor& cursor) : cursor_(cursor) {}

  Program program() {
    Program program;
    do {
      skip_blanks_and_semicolons();
      if (at_tail() && !program.statements.empty()) break;
      program.statements.push_back(statement());
      cursor_.skip_blanks();
    } while (cursor_.peek() == ';');
    if (accept_word("with")) {
      do {
        program.given.push_back(argument());
        if (program.given.back().keyword.empty())
          TextCursor::fail_at(program.given.back().position,
                              "'with' gives names their values, as in with a=int32[3], b=5.5");
      } while (cursor_.accept_spaced(","));
    }
    refuse_word(cursor_, kWordOperators);
    if (!at_tail())
      cursor_.fail("expected an operator, 'with NAME=VALUE' or the end of the line, found " +
                   cursor_.found());
    return program;
  }

 private:
  /// Counts how deep the parser's calls nest. Too deep a text is a fault, so that no text exhausts
  /// the stack.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepest) {
        --parser_.depth_;  // a constructor that throws has no destructor call
        parser_.cursor_.fail("more than 100 nested brackets and signs");
      }
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  void skip_blanks_and_semicolons() {
    while (cursor_.accept_spaced(";")) {
    }
  }

  /// Whether the expression ends: "-> EXPECTATION", "@SETTING=" or the end of the text comes next.
  bool at_tail() {
    cursor_.skip_blanks();
    return cursor_.at_end() || cursor_.rest().starts_with("->") || at_setting();
  }

  bool at_setting() const {
    TextCursor ahead = cursor_;
    return ahead.accept("@") && !ahead.word().empty() && ahead.accept("=") && ahead.peek() != '=';
  }

  bool accept_word(std::string_view wanted) {
    cursor_.skip_blanks();
    TextCursor ahead = cursor_;
    if (ahead.word() != wanted) return false;
    cursor_ = ahead;
    return true;
  }

  /// Whether the text continues with "=" and not with "==", `ahead` characters from the cursor.
  bool at_equals(std::size_t ahead = 0) const {
    return cursor_.peek(ahead) == '=' && cursor_.peek(ahead + 1) != '=';
  }

  Statement statement() {
    Statement statement;
    statement.value = comparison();
    cursor_.skip_blanks();
    statement.position = cursor_.position();
    if (at_equals()) {
      cursor_.accept("=");
      statement.kind = Statement::Kind::kAssignment;
    } else {
      const std::string_view sign = next_sign();
      if (sign.empty() || !at_equals(sign.size())) return statement;
      cursor_.accept(sign);
      cursor_.accept("=");
      statement.kind = Statement::Kind::kInPlace;
      statement.sign = sign;
    }
    statement.target = std::move(statement.value);
    statement.value = comparison();
    return statement;
  }

  /// The binary operator that comes next, "**" included. "" if there is none.
  std::string_view next_sign() const {
    if (cursor_.rest().starts_with("**")) return "**";
    if (cursor_.rest().starts_with("->")) return "";
    for (const BinaryOperator& binary : kBinaryOperators)
      if (cursor_.rest().starts_with(binary.word)) return binary.word;
    return "";
  }

  Expression comparison() {
    const Deeper deeper(*this);
    return binary(kComparison);
  }

  Expression binary(int lowest) {
    Expression left = unary();
    bool compared = false;
    for (;;) {
      cursor_.skip_blanks();
      const std::string_view word = next_sign();
      const auto* found = std::find_if(kBinaryOperators.begin(), kBinaryOperators.end(),
                                       [&](const BinaryOperator& b) { return b.word == word; });
      if (found == kBinaryOperators.end() || found->level < lowest) return left;
      // In "a += b" the sign is not an operator: it ends the expression, and makes the text a
      // statement.
      if (found->level != kComparison && at_equals(word.size())) return left;
      if (at_setting()) return left;
      const std::size_t position = cursor_.position();
      if (found->level == kComparison && compared)
        cursor_.fail("a chain of comparisons asks bool() of a tensor; write (a < b) & (b < c)");
      compared = found->level == kComparison;
      cursor_.accept(word);
      Expression right = binary(found->level + 1);
      left = join(Kind::kBinary, position, std::string(word), std::move(left));
      left.parts.push_back(std::move(right));
    }
  }

  Expression join(Kind kind, std::size_t position, std::string word, Expression part) {
    if (++joined_ > kLongest)
      TextCursor::fail_at(position, "more than 1000 operators, attributes and calls");
    Expression joined{.kind = kind, .position = position, .word = std::move(word), .arguments = {}};
    joined.parts.push_back(std::move(part));
    return joined;
  }

  Expression unary() {
    const Deeper deeper(*this);
    cursor_.skip_blanks();
    const std::size_t position = cursor_.position();
    for (std::string_view sign : {"-", "+", "~"})
      if (cursor_.accept(sign)) return join(Kind::kUnary, position, std::string(sign), unary());
    return power();
  }

  Expression power() {
    Expression base = primary();
    cursor_.skip_blanks();
    if (next_sign() != "**" || at_equals(2)) return base;
    const std::size_t position = cursor_.position();
    cursor_.accept("**");
    base = join(Kind::kBinary, position, "**", std::move(base));
    base.parts.push_back(unary());
    return base;
  }

  Expression primary() {
    Expression whole = atom();
    for (;;) {
      cursor_.skip_blanks();
      const std::size_t start = whole.position;
      if (cursor_.accept(".")) {
        cursor_.skip_blanks();
        const std::size_t position = cursor_.position();
        const std::string word(cursor_.word());
        if (word.empty()) cursor_.fail("expected a name after '.', found " + cursor_.found());
        whole = join(Kind::kAttribute, position, word, std::move(whole));
      } else if (cursor_.accept("(")) {
        whole = join(Kind::kCall, start, "", std::move(whole));
        whole.arguments = arguments(")");
        whole.end = cursor_.position() - 1;
      } else if (cursor_.peek() == '[') {
        cursor_.fail(
            "indexing is not supported; give the element or the view a name, as in with "
            "a=int32[2]");
      } else {
        return whole;
      }
    }
  }

  /// Reads a call's arguments up to and including the closing bracket.
  std::vector<Argument> arguments(std::string_view close) {
    std::vector<Argument> all;
    while (!cursor_.accept_spaced(close)) {
      all.push_back(argument());
      if (cursor_.accept_spaced(",")) continue;
      cursor_.expect(close, "or ',' after an argument");
      break;
    }
    return all;
  }

  Argument argument() {
    cursor_.skip_blanks();
    if (cursor_.peek() == '*')
      cursor_.fail("starred arguments are not supported; write the arguments out");
    Argument argument{.position = cursor_.position()};
    TextCursor ahead = cursor_;
    const std::string_view word = ahead.word();
    ahead.skip_blanks();
    if (!word.empty() && ahead.peek() == '=' && ahead.peek(1) != '=') {
      ahead.accept("=");
      cursor_ = ahead;
      argument.keyword = word;
    }
    argument.value = comparison();
    return argument;
  }

  Expression atom() {
    cursor_.skip_blanks();
    const std::size_t position = cursor_.position();
    if (cursor_.accept("(")) return bracket(position, ")");
    if (cursor_.accept("[")) return bracket(position, "]");
    const char first = cursor_.peek();
    if (first == '\'' || first == '"') return text();
    const bool point = first == '.' && cursor_.peek(1) >= '0' && cursor_.peek(1) <= '9';
    if ((first >= '0' && first <= '9') || point) return number();
    if (cursor_.rest().starts_with("bits:"))
      return literal(position, {.tag = Tag::kNumber, .number = parse_number(cursor_)});
    refuse_word(cursor_, kWordsBefore);
    cursor_.accept("aten::");
    if (first == '{' || tensor_comes_next()) return literal(position, parse_operand(cursor_));
    const std::string_view word = cursor_.word();
    if (word.empty())
      cursor_.fail("expected a tensor, a number, a name or a call, found " + cursor_.found());
    return named(position, word);
  }

  static Expression literal(std::size_t position, Operand operand) {
    return {.kind = Kind::kOperand,
            .position = position,
            .operand = std::move(operand),
            .arguments = {}};
  }

  static Expression named(std::size_t position, std::string_view word) {
    const auto number = [&](Number value) {
      return literal(position, {.tag = Tag::kNumber, .number = value});
    };
    if (word == "True") return number(true);
    if (word == "False") return number(false);
    if (word == "None") return literal(position, {.tag = Tag::kNone});
    if (word == "undefined") return literal(position, {.tag = Tag::kUndefined});
    return {.kind = Kind::kName, .position = position, .word = std::string(word), .arguments = {}};
  }

  /// Whether a tensor of the case notation comes next: int32[3], torch.int32[3], or a near
  /// misspelling of its dtype. Then the brackets are no index.
  bool tensor_comes_next() const {
    TextCursor ahead = cursor_;
    ahead.accept("torch.");
    const std::string_view word = ahead.word();
    if (word.empty() || ahead.peek() != '[') return false;
    std::array<std::string_view, kDTypeCount> names;
    for (int i = 0; i < kDTypeCount; ++i) names[i] = name(dtype_from_code(i));
    return find_dtype_code(word) != kDTypeCount ||
           (word.size() > 2 && !nearest_word(word, names).empty());
  }

  Expression bracket(std::size_t position, std::string_view close) {
    Expression sequence{.kind = Kind::kSequence, .position = position, .arguments = {}};
    bool comma = close == "]";
    while (!cursor_.accept_spaced(close)) {
      sequence.parts.push_back(comparison());
      if (cursor_.accept_spaced(",")) {
        comma = true;
        continue;
      }
      cursor_.expect(close, "or ',' after an item");
      break;
    }
    if (comma || sequence.parts.size() != 1) return sequence;
    Expression alone = std::move(sequence.parts.front());
    return alone;
  }

  Expression text() {
    const std::size_t position = cursor_.position();
    const std::string quote(1, cursor_.peek());
    Operand operand{.tag = Tag::kText};
    cursor_.accept(quote);
    while (!cursor_.accept(quote)) {
      cursor_.accept("\\");
      if (cursor_.at_end()) TextCursor::fail_at(position, "this text has no closing " + quote);
      operand.text += cursor_.peek();
      cursor_.move_to(cursor_.position() + 1);
    }
    check_text(operand.text, position);
    return literal(position, std::move(operand));
  }

  /// Reads a number as Python writes it: digits with '_' between them, 0x.., a decimal, an
  /// exponent, j. It also reads the hex floats of the case notation.
  Expression number() {
    const std::size_t position = cursor_.position();
    const bool hex = cursor_.accept("0x") || cursor_.accept("0X");
    const std::string_view exponents = hex ? "pP" : "eE";
    for (;;) {
      const std::string_view part = cursor_.word(".");
      const bool sign = !part.empty() && exponents.find(part.back()) != exponents.npos &&
                        (cursor_.peek() == '+' || cursor_.peek() == '-');
      if (!sign) break;
      cursor_.move_to(cursor_.position() + 1);
    }
    std::string plain(cursor_.since(position));
    plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
    if (plain.starts_with("0X")) plain[1] = 'x';
    if (plain.starts_with('.')) plain.insert(0, 1, '0');
    if (plain.ends_with('J')) plain.back() = 'j';
    try {
      TextCursor digits(plain);
      const Number value = parse_number(digits);
      if (!digits.at_end()) digits.fail("'" + plain + "' is not a number");
      return literal(position, {.tag = Tag::kNumber, .number = value});
    } catch (SyntaxFault& fault) {
      fault.position = position;
      throw;
    }
  }

  TextCursor& cursor_;
  int depth_ = 0;
  int joined_ = 0;
};

}  // namespace

Program parse_program(TextCursor& cursor) { return Parser(cursor).program(); }

std::string as_one_line(std::string_view text) {
  std::string line(text);
  char quote = '\0';
  int open = 0;
  bool comment = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    char& c = line[i];
    if (c == '\n' || c == '\r') {
      c = open > 0 ? ' ' : ';';
      comment = false;
    } else if (comment) {
      c = ' ';
    } else if (quote != '\0') {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '#') {
      c = ' ';
      comment = true;
    } else if (c == '(' || c == '[') {
      ++open;
    } else if (c == ')' || c == ']') {
      --open;
    }
  }
  return line;
}

}  // namespace upcast::python
