#include <algorithm>
#include <array>
#include <charconv>

#include "cases/dtype_sets.h"
#include "cases/limits.h"
#include "cases/notation.h"
#include "cases/operand_text.h"
#include "cases/resolve.h"
#include "cases/suggest.h"
#include "cases/text_file.h"
#include "cases/value_class.h"
#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

/// A case line without its comment, which begins at the first '#' outside of quoted text.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\')
      ++i;
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == '#' && !quoted)
      return line.substr(0, i);
  }
  return line;
}

ValueClass parse_value_class(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.word();
  for (std::size_t i = 0; i < kValueClassNames.size(); ++i)
    if (kValueClassNames[i] == word) return static_cast<ValueClass>(i);
  TextCursor::fail_at(start, "unknown value class '" + std::string(word) + "'" +
                                 did_you_mean(word, kValueClassNames) +
                                 " (small, special, random, consecutive)");
}

std::uint64_t parse_seed(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.word();
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (word.empty() || error != std::errc() || end != word.data() + word.size())
    TextCursor::fail_at(start, "a seed is a whole number from 0 to 2^64-1");
  return seed;
}

Operand parse_out(TextCursor& cursor) {
  const std::size_t start = cursor.position();
  Operand out = parse_operand(cursor);
  if (out.tag != Tag::kTensor) TextCursor::fail_at(start, "out= takes a tensor");
  return out;
}

/// Reads "NAME =" if it comes next, and returns NAME. Returns "" and reads nothing otherwise.
std::string_view accept_keyword(TextCursor& cursor) {
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  if (word.empty() || !ahead.accept_spaced("=")) return "";
  ahead.skip_blanks();
  cursor = ahead;
  return word;
}

void parse_argument(TextCursor& cursor, WrittenCall& call, Case& c) {
  cursor.skip_blanks();
  const std::size_t start = cursor.position();
  const std::string_view keyword = accept_keyword(cursor);
  if (keyword == "values") {
    c.values = parse_value_class(cursor);
  } else if (keyword == "seed") {
    c.seed = parse_seed(cursor);
  } else if (keyword == "second_out") {
    if (call.second_out) TextCursor::fail_at(start, "second_out= is given twice");
    call.second_out = parse_out(cursor);
  } else if (keyword == "out") {
    if (call.out) TextCursor::fail_at(start, "out= is given twice");
    call.out = parse_out(cursor);
  } else {
    call.arguments.push_back({start, keyword, parse_operand(cursor)});
  }
}

void parse_call(TextCursor& cursor, Case& c) {
  cursor.skip_blanks();
  WrittenCall call{
      .position = cursor.position(), .name = {}, .arguments = {}, .out = {}, .second_out = {}};
  call.name = cursor.word(".:");
  if (call.name.empty()) cursor.fail("expected an op, as in add(int32[3], 5.5)");
  cursor.expect("(", "after the op");
  if (!cursor.accept_spaced(")")) {
    do {
      parse_argument(cursor, call, c);
    } while (cursor.accept_spaced(","));
    cursor.expect(")", "or ',' after an argument");
  }
  call.end = cursor.position() - 1;
  resolve_call(std::move(call), c);
}

void parse_setting(TextCursor& cursor, Case& c) {
  const std::size_t start = cursor.position();
  const std::string_view word = cursor.word();
  cursor.expect("=", "after a setting's name");
  const std::size_t value = cursor.position();
  if (word == "default") {
    c.defaults.floating = parse_dtype(cursor);
  } else if (word == "device") {
    const std::optional<Device> device = find_device(cursor.word());
    if (!device) TextCursor::fail_at(value, "a device is cpu, cuda or meta");
    c.device = *device;
  } else {
    constexpr std::array<std::string_view, 2> kSettings{"default", "device"};
    TextCursor::fail_at(start, "unknown setting '@" + std::string(word) + "'" +
                                   did_you_mean(word, kSettings) +
                                   " (@default=DTYPE, @device=cpu|cuda|meta)");
  }
}

Expectation parse_expectation(TextCursor& cursor) {
  cursor.skip_blanks();
  Expectation expectation;
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  if (word == "refuses") {
    expectation.refuses = true;
    cursor = ahead;
  } else if (word == "True" || word == "False") {
    expectation.answer = word == "True";
    cursor = ahead;
  } else {
    expectation.dtype = parse_dtype(cursor);
    if (cursor.peek() != '[') return expectation;
    expectation.sizes = parse_dims(cursor);
    if (cursor.peek() == '{')
      expectation.values = parse_values(cursor, expectation.dtype, *expectation.sizes);
  }
  return expectation;
}

std::string at_column(const SyntaxFault& fault) {
  constexpr std::size_t kMost = 1000;  // characters of a message that a person would read
  const std::string message = visible(std::string_view(fault.message).substr(0, kMost));
  return std::to_string(fault.position + 1) + ": " + message +
         (fault.message.size() > kMost ? "..." : "");
}

/// Faults at a line where a list has more than its limit of something.
void check_limit(std::string_view line, std::size_t found, std::size_t limit,
                 std::string_view what) {
  if (found > limit)
    TextCursor::fail_at(0, "a list holds at most " + std::to_string(limit) + " " +
                               std::string(what) + ": '" + beginning(line) + "'");
}

}  // namespace

void check_length(std::string_view line) {
  if (line.size() > kMaxLine)
    TextCursor::fail_at(0, "a line has at most 16 MiB: '" + beginning(line) + "'");
}

Case parse_case_or_fault(std::string_view line) {
  check_length(line);
  TextCursor cursor(without_comment(line));
  Case c;
  parse_call(cursor, c);
  parse_settings(cursor, c);
  return c;
}

void parse_settings(TextCursor& cursor, Case& c) {
  while (cursor.accept_spaced("@")) parse_setting(cursor, c);
  if (cursor.accept_spaced("->")) c.expectation = parse_expectation(cursor);
  cursor.skip_blanks();
  if (!cursor.at_end())
    cursor.fail("expected @SETTING=VALUE, -> EXPECTATION or the end of the line, found " +
                cursor.found());
}

UsageError usage_error(const SyntaxFault& fault) {
  return UsageError("column " + at_column(fault));
}

Case parse_case(std::string_view line) {
  try {
    return parse_case_or_fault(line);
  } catch (const SyntaxFault& fault) {
    throw usage_error(fault);
  }
}

std::vector<Case> parse_cases(std::string_view text, std::string_view file_name) {
  std::vector<Case> cases;
  const std::string file(file_name);
  std::size_t number = 0;
  std::size_t length = 0;  // of all lines, after their sets
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_comment(line);
    if (line.find_first_not_of(" \t") == line.npos) continue;
    const std::string place = file + ":" + std::to_string(number) + ":";
    try {
      check_length(line);
      internal::expand_dtype_sets(line, [&](const internal::ExpandedLine& expanded) {
        try {
          cases.push_back(parse_case_or_fault(expanded.text));
        } catch (SyntaxFault& fault) {
          fault.position = fault.position < expanded.origin.size() ? expanded.origin[fault.position]
                                                                   : line.size();
          throw;
        }
        length += expanded.text.size();
        check_limit(line, cases.size(), kMaxCases, "cases");
        check_limit(line, length, kMaxTextFile, "bytes of lines, after its sets of dtypes");
      });
    } catch (const SyntaxFault& fault) {
      throw UsageError(place + at_column(fault));
    }
  }
  if (cases.empty())
    throw UsageError(file + ": holds no case; a case is a line such as add(int32[3], 5.5)");
  return cases;
}

std::vector<Case> load_cases(const std::string& path) {
  return parse_cases(read_text_file(path), path);
}

}  // namespace upcast
