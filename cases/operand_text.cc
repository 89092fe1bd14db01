#include "cases/operand_text.h"

#include <array>

#include "cases/layout.h"
#include "cases/literal.h"
#include "cases/notation.h"
#include "cases/suggest.h"
#include "cases/visible.h"

namespace upcast {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 48;

Operand parse_tensor(TextCursor& cursor, DType dtype) {
  Operand operand{.tag = Operand::Tag::kTensor, .dtype = dtype};
  const std::size_t start = cursor.position();
  operand.sizes = parse_dims(cursor);
  if (cursor.peek() == ':') parse_layout(cursor, operand);
  const std::size_t values = cursor.position();
  if (cursor.peek() == '{') operand.values = parse_values(cursor, dtype, operand.sizes);
  if (cursor.peek() == ':' && operand.strides.empty() && operand.offset == 0 && !operand.device)
    parse_layout(cursor, operand);
  if (operand.shares != kOwnStorage && !operand.values.empty())
    TextCursor::fail_at(values, "a tensor that shares storage takes its values from the other one");
  if (operand.shares != kOwnStorage && operand.device)
    TextCursor::fail_at(start, "a tensor that shares storage is on the device of the other one");
  return operand;
}

std::string parse_quoted(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  cursor.accept("\"");
  std::string text;
  while (!cursor.accept("\"")) {
    if (cursor.at_end()) TextCursor::fail_at(start, "this text has no closing '\"'");
    cursor.accept("\\");
    if (cursor.at_end()) continue;
    text += cursor.peek();
    cursor.move_to(cursor.position() + 1);
  }
  check_text(text, start);
  return text;
}

std::string print_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

DType parse_dtype(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  cursor.accept("torch.");
  const std::string_view word = cursor.word();
  if (word.empty()) cursor.fail("expected a dtype, found " + cursor.found());
  const int code = find_dtype_code(word);
  if (code < upcast::code(DType::kUndefined)) return dtype_from_code(code);
  std::array<std::string_view, kDTypeCount> names;
  for (int i = 0; i < kDTypeCount; ++i) names[i] = name(dtype_from_code(i));
  TextCursor::fail_at(start, "unknown dtype '" + std::string(word) + "'" +
                                 did_you_mean(word, std::span(names).first(kDTypeCount - 1)) +
                                 " ('upcast list dtypes' shows them)");
}

Dims parse_dims(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  cursor.expect("[", "before the sizes");
  Dims dims;
  if (cursor.accept_spaced("]")) return dims;
  std::int64_t elements = 1;
  do {
    dims.push_back(parse_size(cursor, "a size"));
    if (dims.back() != 0 && elements > kMaxElements / dims.back())
      TextCursor::fail_at(start, "a tensor has at most 2^48 elements");
    elements *= dims.back();
    if (dims.size() > kMaxDimensions)
      TextCursor::fail_at(start, "a tensor has at most " + std::to_string(kMaxDimensions) +
                                     " dimensions: '" + beginning(cursor.since(start)) + "'");
  } while (cursor.accept_spaced(","));
  cursor.expect("]", "after the sizes");
  return dims;
}

std::string print_dims(const Dims& dims) {
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(dims[i]);
  return text + "]";
}

std::vector<std::byte> parse_values(TextCursor& cursor, DType dtype, const Dims& sizes) {
  const std::size_t start = cursor.position();
  const std::int64_t wanted = numel(sizes);
  std::vector<std::byte> values;
  cursor.expect("{", "before the values");
  std::int64_t given = 0;
  if (!cursor.accept_spaced("}")) {
    do {
      cursor.skip_blanks();
      parse_element(cursor, dtype, values);
      ++given;
    } while (cursor.accept_spaced(","));
    cursor.expect("}", "after the values");
  }
  if (given != wanted)
    TextCursor::fail_at(start, std::string(name(dtype)) + print_dims(sizes) + " has " +
                                   std::to_string(wanted) + " elements, " + std::to_string(given) +
                                   " given");
  return values;
}

std::string print_values(DType dtype, const std::vector<std::byte>& values) {
  std::string text = "{";
  for (std::size_t i = 0; i < values.size(); i += itemsize(dtype)) {
    if (i != 0) text += ',';
    text += print_element(dtype, values.data() + i);
  }
  return text + "}";
}

void check_text(std::string_view text, std::size_t position) {
  if (text.size() > kMaxText)
    TextCursor::fail_at(position, "a text has at most " + std::to_string(kMaxText) +
                                      " characters: '" + beginning(text) + "'");
  if (first_hidden(text) != text.npos)
    TextCursor::fail_at(position,
                        "a text has a character that cannot be seen: '" + visible(text) + "'");
}

Operand parse_operand(TextCursor& cursor) {
  if (cursor.peek() == '"') return {.tag = Operand::Tag::kText, .text = parse_quoted(cursor)};
  if (number_comes_next(cursor))
    return {.tag = Operand::Tag::kNumber, .number = parse_number(cursor)};
  if (cursor.peek() == '{')
    cursor.fail("a set of dtypes means several cases; here only one is allowed");
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  if (word == "None" || word == "undefined") {
    cursor = ahead;
    return {.tag = word == "None" ? Operand::Tag::kNone : Operand::Tag::kUndefined};
  }
  if (word.empty())
    cursor.fail("expected a tensor, a number, a dtype or \"text\", found " + cursor.found());
  const DType dtype = parse_dtype(cursor);
  if (cursor.peek() == '[') return parse_tensor(cursor, dtype);
  if (cursor.peek() == '{' || cursor.peek() == ':')
    cursor.fail("expected sizes: " + std::string(name(dtype)) + "[] is zero-dim, " +
                std::string(name(dtype)) + "[2,3] has two dimensions");
  return {.tag = Operand::Tag::kDType, .dtype = dtype};
}

std::string print_operand(const Operand& operand) {
  switch (operand.tag) {
    case Operand::Tag::kTensor: {
      std::string text = std::string(name(operand.dtype)) + print_dims(operand.sizes);
      text += print_layout(operand);
      if (!operand.values.empty()) text += print_values(operand.dtype, operand.values);
      return text;
    }
    case Operand::Tag::kNumber:
      return print_number(operand.number);
    case Operand::Tag::kDType:
      return std::string(name(operand.dtype));
    case Operand::Tag::kText:
      return print_quoted(operand.text);
    case Operand::Tag::kUndefined:
      return "undefined";
    case Operand::Tag::kNone:
      return "None";
    case Operand::Tag::kAbsent:
      break;
  }
  return "";
}

}  // namespace upcast
