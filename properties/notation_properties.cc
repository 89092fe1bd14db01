// Properties of texts and codecs. A text that was written can be read back. A text that is no case
// is refused in one line.
#include <algorithm>
#include <cstring>

#include "cases/literal.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/conclude.h"
#include "oracle/judge.h"
#include "oracle/verdict_text.h"
#include "properties/laws.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

/// Draws a line of bytes. It is kept as the values of a uint8 tensor, so that it prints and shrinks
/// like any other case.
Case draw_bytes(Draw& draw) {
  Case c = case_of("clone");
  std::string line;
  if (draw.chance(70)) {  // a case line in which a few bytes are replaced, left out or added
    Draw inner(rc::Random(draw.bits()), draw.size());
    line = print_case(kMixedCalls.draw(inner));
    for (int edits = draw.between(1, 4); edits > 0 && !line.empty(); --edits) {
      const auto at = static_cast<std::size_t>(draw.below(static_cast<int>(line.size())));
      constexpr std::string_view kSigns = "()[]{},:@=#->+ .jx0193eEnaif_\"'\\\n\xff";
      const char sign =
          kSigns[static_cast<std::size_t>(draw.below(static_cast<int>(kSigns.size())))];
      switch (draw.below(3)) {
        case 0:
          line[at] = sign;
          break;
        case 1:
          line.erase(at, 1);
          break;
        default:
          line.insert(at, 1, sign);
      }
    }
  } else {
    for (int i = draw.between(1, 40); i > 0; --i) line += static_cast<char>(draw.below(256));
  }
  if (line.empty()) line = "x";
  c.arguments[0] = tensor(DType::kUInt8, {static_cast<std::int64_t>(line.size())});
  c.arguments[0].values.resize(line.size());
  std::memcpy(c.arguments[0].values.data(), line.data(), line.size());
  return c;
}
bool is_bytes(const Case& c) {
  return c.arguments[0].tag == Tag::kTensor && c.arguments[0].dtype == DType::kUInt8 &&
         !c.arguments[0].values.empty();
}
const Generator kByteStrings{"byte strings", &draw_bytes, &is_bytes, {{"rank", 1, 100}}};

/// Draws a case with one vector of any dtype and any values.
Case draw_literals(Draw& draw) {
  Case c = case_of("clone");
  const DType dtype = draw.from(kElementwise);
  const std::int64_t length = draw.between(1, 8);
  c.arguments[0] = tensor(dtype, {length});
  c.arguments[0].values = draw_elements(draw, dtype, length);
  return c;
}
const Generator kChosenLiterals{
    "literals", &draw_literals, nullptr, {{"dtype", 22, 2}, {"value", 8, 5}}};

std::string bytes_of(const Case& c) {
  const std::vector<std::byte>& values = c.arguments[0].values;
  return {reinterpret_cast<const char*>(values.data()), values.size()};
}

Finding check_round_trip(const System& system, const Case& c) {
  const std::string line = system.codecs.print(c);
  const Case read = system.codecs.parse(line);
  if (!(read == c)) RC_FAIL("it prints as " + line + ", which reads as " + print_case(read));
  return Finding::kHolds;
}

Finding check_fixed_point(const System& system, const Case& c) {
  const std::string line = system.codecs.print(c);
  const std::string again = system.codecs.print(system.codecs.parse("  " + line + "   # comment"));
  if (line != again) RC_FAIL("it prints as " + line + " and then as " + again);
  return Finding::kHolds;
}

Finding check_short_names(const System& system, const Case& c) {
  const std::string line = system.codecs.print(c);
  std::string brief;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && (std::isalnum(line[end]) || line[end] == '_')) ++end;
    const std::string word = line.substr(at, end - at);
    const int code = end < line.size() && line[end] == '[' ? find_dtype_code(word) : kDTypeCount;
    brief += code == kDTypeCount ? word : std::string(info(dtype_from_code(code)).short_name);
    if (end == at) brief += line[end++];
    at = end;
  }
  const Case read = system.codecs.parse(brief);
  if (!(read == c)) RC_FAIL(brief + " reads as " + print_case(read));
  return brief == line ? Finding::kVacuous : Finding::kHolds;
}

Finding check_total(const System& system, const Case& c) {
  const std::string line = bytes_of(c);
  std::string message;
  try {
    const Case read = system.codecs.parse(line);
    const std::string printed = system.codecs.print(read);
    if (!(system.codecs.parse(printed) == read))
      RC_FAIL("it reads as " + printed + ", which reads otherwise");
    return Finding::kHolds;
  } catch (const UsageError& e) {
    message = e.what();
  }
  if (message.empty() || message.find('\n') != std::string::npos)
    RC_FAIL("the message is not one line: " + message);
  if (message.find("column") == std::string::npos)
    RC_FAIL("the message names no column: " + message);
  return Finding::kHolds;
}

bool equal(const Answer& a, const Answer& b) {
  if (a.tag != b.tag || a.further.size() != b.further.size()) return false;
  for (std::size_t i = 0; i < a.further.size(); ++i)
    if (!equal(a.further[i], b.further[i])) return false;
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides && a.bytes == b.bytes &&
         a.without_values == b.without_values && a.rejection == b.rejection && a.detail == b.detail;
}

Finding check_answer_codec(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  Answer read;
  read.detail = "left over";
  system.codecs.decode(system.codecs.encode(answer), read);
  if (!equal(answer, read)) RC_FAIL(to_text(answer) + " is read as " + to_text(read));
  return Finding::kHolds;
}

/// Checks that an answer can be written after the case line as its expectation, read back, and is
/// then met.
Finding check_expectation(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  // Values that the host decides are not judged, so they cannot be an expectation.
  const Reply reply{.answer = answer};
  if (conclude(c, reply, reply, {}).verdict.code == VerdictCode::kNotJudged)
    return Finding::kVacuous;
  Case expecting = c;
  Expectation& expectation = expecting.expectation.emplace();
  if (answer.tag == Answer::Tag::kTensor) {
    expectation.dtype = answer.dtype;
    expectation.sizes = answer.sizes;
    if (!answer.bytes.empty()) expectation.values = answer.bytes;
  } else {
    expectation.refuses = true;
  }
  const std::string line = system.codecs.print(expecting);
  const Case read = system.codecs.parse(line);
  if (!(read == expecting))
    RC_FAIL("it prints as " + line + ", which reads as " + print_case(read));
  if (const auto unmet = judge_expectation(read, answer))
    RC_FAIL(line + ": " + std::string(system.name) + " answers " + unmet->answer + ": " +
            expectation_text(*unmet));
  return Finding::kHolds;
}

/// Checks that each element, written as a literal, is read back unchanged.
Finding check_literals(const System& system, const Case& c) {
  for (const Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor || operand.values.empty()) continue;
    const Case read = system.codecs.parse("clone(" + print_operand(operand) + ")");
    if (read.arguments[0].values != operand.values)
      RC_FAIL(print_operand(operand) + " has other bits when read");
  }
  return Finding::kHolds;
}

std::string print_without_default(const Case& c) {
  Case other = c;
  other.defaults = {};
  return print_case(other);
}
std::string print_with_space(const Case& c) {
  static int count = 0;
  return print_case(c) + std::string(static_cast<std::size_t>(++count % 2), ' ');
}
Case parse_float16_as_bfloat16(std::string_view line) {
  Case c = parse_case(line);
  for (Operand& operand : c.arguments)
    if (operand.dtype == DType::kFloat16) operand.dtype = DType::kBFloat16;
  return c;
}
Case parse_with_a_bare_message(std::string_view line) {
  try {
    return parse_case(line);
  } catch (const UsageError&) {
    throw UsageError("wrong");
  }
}
Case parse_negative_zeros_as_zeros(std::string_view line) {
  Case c = parse_case(line);
  for (Operand& operand : c.arguments)
    if (operand.tag == Tag::kTensor && operand.dtype == DType::kFloat32)
      for (std::size_t at = 0; at + 4 <= operand.values.size(); at += 4)
        if (Elements(operand).re(at / 4) == 0) operand.values[at + 3] = std::byte{0};
  return c;
}
bool decode_without_strides(std::string_view bytes, Answer& answer) {
  const bool whole = kOurCodecs.decode(bytes, answer);
  answer.strides.clear();
  return whole;
}

}  // namespace

std::span<const Property> notation_properties() {
  static const std::vector<Property> properties{
      law(Asks::kCodecs, "ALineReadsAsItsCase",
          "parse(print(c)) is c, for calls of every op in every form.", kMixedCalls,
          &check_round_trip,
          {.what = "print leaves out the default dtype",
           .spoil_codecs = &replace<&Codecs::print, &print_without_default>}),
      law(Asks::kCodecs, "AVectorReadsBitForBit",
          "parse(print(c)) is c, for vectors of any bits, NaN payloads included.", kAnyCalls,
          &check_round_trip,
          {.what = "float16 is read as bfloat16",
           .spoil_codecs = &replace<&Codecs::parse, &parse_float16_as_bfloat16>}),
      law(Asks::kCodecs, "PrintingIsCanonical",
          "A line with other spaces and a comment reads as the case that prints without them.",
          kMixedCalls, &check_fixed_point,
          {.what = "every other line ends with a space",
           .spoil_codecs = &replace<&Codecs::print, &print_with_space>}),
      law(Asks::kCodecs, "ShortDTypeNamesMeanTheSame",
          "A line with short dtype names reads as with long ones.", kMixedCalls, &check_short_names,
          {.what = "float16 is read as bfloat16",
           .spoil_codecs = &replace<&Codecs::parse, &parse_float16_as_bfloat16>}),
      law(Asks::kCodecs, "LiteralsKeepTheirBits",
          "An element of any dtype, printed and read, has the same bits.", kChosenLiterals,
          &check_literals,
          {.what = "-0.0 is read as 0.0",
           .spoil_codecs = &replace<&Codecs::parse, &parse_negative_zeros_as_zeros>}),
      law(Asks::kCodecs, "EveryByteStringIsACaseOrRefused",
          "Any bytes read as a case that prints and reads again, or are refused in one line that "
          "names the column.",
          kByteStrings, &check_total,
          {.what = "the message says nothing",
           .spoil_codecs = &replace<&Codecs::parse, &parse_with_a_bare_message>}),
      law(Asks::kCodecs, "AnAnswerSurvivesItsBytes",
          "An answer, encoded for another process and decoded, is the same in every field.",
          kMixedCalls, &check_answer_codec,
          {.what = "strides are lost",
           .spoil_codecs = &replace<&Codecs::decode, &decode_without_strides>}),
      law(Asks::kCodecs, "AnAnswerMeetsItselfAsExpectation",
          "A line with its own answer written after `->` is read, and its expectation is met.",
          kMixedCalls, &check_expectation,
          {.what = "print leaves out the default dtype",
           .spoil_codecs = &replace<&Codecs::print, &print_without_default>}),
  };
  return properties;
}

}  // namespace upcast::properties
