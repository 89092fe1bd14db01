#include "cases/operand_pattern.h"

#include <algorithm>
#include <array>

#include "cases/literal.h"
#include "cases/operand_text.h"

namespace upcast {
namespace {

using OperandTag = Operand::Tag;

struct NamedSet {
  std::string_view name;
  DTypeSet dtypes;
};
constexpr std::array<NamedSet, 7> kNamedSets{{
    {"elementwise", kElementwise},
    {"floating", kFloats | kFloat8s},
    {"reduced", kReducedFloats},
    {"float8", kFloat8s},
    {"integral", kIntegers | kUnsigned},
    {"unsigned", kUnsigned},
    {"complex", kComplexes},
}};

/// The names of the kinds of wrapped numbers, each with a dtype that stands for the kind.
constexpr std::array<NamedSet, 4> kNumberKinds{{
    {"bool", DType::kBool},
    {"int", {DType::kInt64, DType::kUInt64}},
    {"float", DType::kFloat64},
    {"complex", DType::kComplex128},
}};

DTypeSet every_dtype() {
  DTypeSet all;
  for (int code = 0; code < kDTypeCount; ++code) all = all | DTypeSet(dtype_from_code(code));
  return all;
}

DTypeSet parse_set_member(TextCursor& cursor) {
  if (cursor.accept("*")) return every_dtype();
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  for (const NamedSet& set : kNamedSets) {
    if (set.name != word) continue;
    cursor = ahead;
    return set.dtypes;
  }
  return parse_dtype(cursor);
}

DTypeSet parse_number_kind(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.word();
  for (const NamedSet& kind : kNumberKinds)
    if (kind.name == word) return kind.dtypes;
  TextCursor::fail_at(start, "a kind of number is bool, int, float, complex or *");
}

/// Reads a set of dtypes or kinds: `*`, one member, or `{member,!member,...}`.
DTypeSet parse_set(TextCursor& cursor, DTypeSet (*parse_member)(TextCursor&)) {
  if (cursor.accept("*")) return every_dtype();
  if (!cursor.accept("{")) return parse_member(cursor);
  DTypeSet set;
  do {
    cursor.skip_blanks();
    const bool without = cursor.accept("!");
    const DTypeSet member = parse_member(cursor);
    set = without ? set - member : set | member;
  } while (cursor.accept_spaced(","));
  cursor.expect("}", "after a set");
  return set;
}

bool literal_comes_next(const TextCursor& cursor) {
  TextCursor ahead = cursor;
  if (ahead.accept("{")) ahead.skip_blanks();
  if (ahead.peek() == '"' || number_comes_next(ahead)) return true;
  const std::string_view word = ahead.word();
  return word == "None" || word == "undefined" || word == "absent";
}

Operand parse_literal(TextCursor& cursor) {
  if (!literal_comes_next(cursor)) cursor.fail("expected a number, \"text\", None or absent");
  TextCursor ahead = cursor;
  if (ahead.word() == "absent") {
    cursor = ahead;
    return {};
  }
  return parse_operand(cursor);
}

}  // namespace

DTypeSet parse_dtype_set(TextCursor& cursor) { return parse_set(cursor, &parse_set_member); }

void OperandPattern::parse_shape(TextCursor& cursor) {
  TextCursor ahead = cursor;
  ahead.expect("[", "before a pattern of sizes");
  if (ahead.accept_spaced("*")) {
    shape_ = Shape::kDim;
  } else if (ahead.accept_spaced("?")) {
    shape_ = Shape::kEither;
  } else {
    sizes_ = parse_dims(cursor);
    shape_ = sizes_.empty() ? Shape::kZeroDim : Shape::kSizes;
    return;
  }
  ahead.expect("]", "after a pattern of sizes: [*], [], [?] or [2,3]");
  cursor = ahead;
}

OperandPattern OperandPattern::parse(TextCursor& cursor) {
  OperandPattern pattern;
  cursor.skip_blanks();
  if (cursor.peek() == '*' && cursor.peek(1) != '[') {
    cursor.accept("*");
    return pattern;
  }
  if (cursor.accept("number:")) {
    pattern.tag_ = Tag::kNumber;
    pattern.dtypes_ = parse_set(cursor, &parse_number_kind);
    return pattern;
  }
  if (literal_comes_next(cursor)) {
    pattern.tag_ = Tag::kLiterals;
    const bool set = cursor.accept("{");
    do {
      cursor.skip_blanks();
      pattern.literals_.push_back(parse_literal(cursor));
    } while (set && cursor.accept_spaced(","));
    if (set) cursor.expect("}", "after a set of arguments");
    return pattern;
  }
  const std::size_t start = cursor.position();
  pattern.dtypes_ = parse_dtype_set(cursor);
  pattern.tag_ = Tag::kDType;
  if (cursor.peek() != '[') return pattern;
  pattern.tag_ = Tag::kTensor;
  pattern.parse_shape(cursor);
  if (cursor.peek() == '{' || cursor.peek() == ':') {
    cursor.move_to(start);
    pattern.tag_ = Tag::kLiterals;
    pattern.literals_ = {parse_operand(cursor)};
  }
  return pattern;
}

bool OperandPattern::matches(const Operand& operand) const {
  switch (tag_) {
    case Tag::kAnything:
      return true;
    case Tag::kNumber:
      return operand.tag == OperandTag::kNumber && dtypes_.contains(operand.number.dtype());
    case Tag::kDType:
      return operand.tag == OperandTag::kDType && dtypes_.contains(operand.dtype);
    case Tag::kLiterals:
      return std::find(literals_.begin(), literals_.end(), operand) != literals_.end();
    case Tag::kTensor:
      break;
  }
  if (operand.tag != OperandTag::kTensor || !dtypes_.contains(operand.dtype)) return false;
  switch (shape_) {
    case Shape::kDim:
      return !operand.sizes.empty();
    case Shape::kZeroDim:
      return operand.sizes.empty();
    case Shape::kSizes:
      return operand.sizes == sizes_;
    case Shape::kEither:
      break;
  }
  return true;
}

}  // namespace upcast
