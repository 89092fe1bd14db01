// Parsers of texts that people write, for fuzzing.
#include "cases/date.h"
#include "cases/known_differences.h"
#include "cases/literal.h"
#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/python/question.h"
#include "cases/rulebook_pairs.h"
#include "cases/rulebook_tables.h"
#include "cases/selection.h"
#include "cases/selector.h"
#include "cases/visible.h"
#include "fuzz/features.h"
#include "oracle/side.h"
#include "oracle/version_range.h"
#include "tools/fuzz/parsers/parser.h"

namespace upcast::fuzz {
namespace {

void check_round_trip(const Case& c) {
  const std::string text = print_case(c);
  promise(parse_case(text) == c, "its canonical text is another case");
  promise(visible(text) == text, "its canonical text is not as it may be shown");
}

void parse_case_line(const std::string& text) {
  const Case c = parse_case(text);
  mark_feature(1, static_cast<std::uint32_t>(c.op - catalogue().data()));
  check_round_trip(c);
}

void parse_case_file(const std::string& text) {
  const std::vector<Case> cases = parse_cases(text, "input");
  mark_feature(3, static_cast<std::uint32_t>(cases.size()));
  for (const Case& c : cases) check_round_trip(c);
}

/// Parses a question in Python. Calls inside the question are not computed: each gives int8[2].
void parse_question(const std::string& text) {
  const Question question =
      read_question(text, [](const Case&) { return tensor(DType::kInt8, {2}); });
  mark_feature(2, static_cast<std::uint32_t>(question.c.op - catalogue().data()));
  check_round_trip(question.c);
}

/// Reads a literal at the beginning of the text and prints it. What is printed must read as the
/// same value.
template <class Read, class Print>
void check_literal(std::string_view text, Read read, Print print) {
  try {
    TextCursor cursor(text);
    const auto value = read(cursor);
    const std::string printed = print(value);
    TextCursor again(printed);
    promise(read(again) == value && again.at_end(), "what is printed is another value");
  } catch (const SyntaxFault& fault) {
    promise(fault.position <= text.size(), "a fault after the end of the text");
    throw usage_error(fault);
  }
}

void parse_number_literal(const std::string& text) {
  const auto same_bits = [](const Number& number) {
    Operand operand;
    operand.tag = Operand::Tag::kNumber;
    operand.number = number;
    return operand;  // operands are compared bit for bit, also NaN
  };
  check_literal(
      text, [&](TextCursor& cursor) { return same_bits(parse_number(cursor)); },
      [](const Operand& operand) { return print_number(operand.number); });
}

/// Parses a literal of an element. The first byte of the text chooses the dtype.
void parse_element_literal(const std::string& text) {
  const int code = text.empty() ? 0 : static_cast<unsigned char>(text[0]) % kDTypeCount;
  const DType dtype = dtype_from_code(code);
  if (!kElementwise.contains(dtype)) return;
  check_literal(
      std::string_view(text).substr(std::min<std::size_t>(1, text.size())),
      [dtype](TextCursor& cursor) {
        std::vector<std::byte> element;
        parse_element(cursor, dtype, element);
        return element;
      },
      [dtype](const std::vector<std::byte>& element) {
        return print_element(dtype, element.data());
      });
}

void check_selection(const Selection& selection) {
  promise(Selection::parse(selection.text()) == selection, "its text is another selection");
}

/// Parses a selection. The text has a line for each flag: ops, dtypes, forms, kinds.
void parse_selection_words(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  lines.resize(4);
  SelectionWords words{.dtypes = lines[1], .forms = lines[2], .kinds = lines[3]};
  if (!lines[0].empty()) words.ops = {lines[0]};
  check_selection(parse_selection(words));
}

void parse_side_name(const std::string& text) {
  const Side side = parse_side(text);
  mark_feature(5, static_cast<std::uint32_t>(side.vendor));
  promise(parse_side(to_string(side)) == side, "its canonical name is another side");
}

void make_visible(const std::string& text) {
  const std::string shown = visible(text);
  promise(visible(shown) == shown, "what is visible is not what it shows");
  for (const char c : shown)
    promise(static_cast<unsigned char>(c) >= ' ' && c != 0x7f, "a control character is shown");
}

}  // namespace

std::span<const Parser> text_parsers() {
  static const std::vector<Parser> parsers{
      {"case", &parse_case_line, "add(int32[3], 5.5) -> float32[3]"},
      {"cases", &parse_case_file, "add({int8,int32}[3], 5.5) -> float32[3]\n"},
      {"question", &parse_question, "torch.add(torch.ones(3, dtype=torch.int32), 5.5)"},
      {"number", &parse_number_literal, "-0x1.8p3"},
      {"element", &parse_element_literal, std::string("\x06") + "1.5e-3"},
      {"selection", &parse_selection_words, "add*\nfloating,!float8\nout\ndim"},
      {"selection_text", [](const std::string& text) { check_selection(Selection::parse(text)); },
       R"({"ops":{"add.Tensor":["out"]},"dtypes":["int8"],"forms":["out"],"kinds":["dim"]})"},
      {"selector", [](const std::string& text) { static_cast<void>(Selector(text)); },
       "mul*(float8[?], *)"},
      {"side", &parse_side_name, "libtorch@2.11.0:cpu?capability=native&onednn=off"},
      {"version_range", [](const std::string& text) { version_in_range("2.15.0+cu132", text); },
       ">=2.15,<2.16"},
      {"date", [](const std::string& text) { parse_date(text); }, "2026-11-22"},
      {"visible", &make_visible, "a\x1b[31m\xe2\x80\xae"},
      {"known_differences", [](const std::string& text) { parse_known_differences(text, "input"); },
       R"([[difference]]
id = "a"
select = 'neg(int8[?])'
kind = "dtype"
oracle = "int16"
class = "bug"
witness = 'path: neg(int16[1])'
libtorch = ">=2.15,<2.16"
reason = "none"
found = "2026-11-22"
case = 'neg(int8[1])'
truth = 'int8[1]{0}'
)"},
      {"rulebook_tables", [](const std::string& text) { parse_rulebook_tables(text); },
       R"({"name":"a","framework":"a","version":"1","variant":"","errors":{},"error_kinds":{},)"
       R"("tables":[{"name":"t","rows":"i64","cols":"f32","cells":["f32"]}]})"},
      {"rulebook_pairs", [](const std::string& text) { parse_rulebook_pairs(text, "input"); },
       "[[pair]]\nbook = \"pytorch\"\ntable = \"pytorch_2.15.0\"\nclaims = [\"*\"]\n"},
  };
  return parsers;
}

}  // namespace upcast::fuzz
