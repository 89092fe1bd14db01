#include "tools/case_teller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cases/literal.h"
#include "cases/notation.h"
#include "cases/operand_text.h"
#include "fuzz/findings/reproducer.h"
#include "impl/core/error.h"
#include "oracle/case_call.h"
#include "oracle/subject.h"
#include "oracle/verdict_text.h"
#include "reports/blame.h"
#include "tools/exact_value.h"
#include "tools/explanation_text.h"
#include "tools/recorded_answer.h"

namespace upcast::tools {
namespace {

using reports::CaseStory;
using reports::ElementStory;
using reports::OperandStory;
using reports::ValueBits;

constexpr std::size_t kShown = 16;  // the most elements of an operand that are shown

/// A record's case and both sides' replies; a reply is absent if its text cannot be read back.
struct Told {
  Case c;
  /// The judge's verdict, even if a known difference explains it.
  VerdictCode code = VerdictCode::kAgree;
  std::optional<Reply> subject{}, oracle{};
};

ValueBits value_bits(DType dtype, const std::byte* element) {
  std::string hex;
  for (std::size_t i = itemsize(dtype); i-- > 0;)
    hex += fmt::format("{:02x}", static_cast<int>(element[i]));
  return {print_element(dtype, element), "0x" + hex, exact_value(dtype, element)};
}

OperandStory operand_story(const Case& c, int position, const std::string& name) {
  const Operand& operand = c.operand(position);
  OperandStory story{.name = name, .text = print_operand(operand)};
  if (operand.tag == Operand::Tag::kNumber) {
    operand.number.visit([&](auto value) {
      if constexpr (std::is_same_v<decltype(value), double>)
        story.values = {value_bits(DType::kFloat64, reinterpret_cast<const std::byte*>(&value))};
    });
    story.elements = std::ssize(story.values);
  }
  if (operand.tag != Operand::Tag::kTensor) return story;
  story.text = std::string(upcast::name(operand.dtype)) + print_dims(operand.sizes);
  if (position == kOutPosition) return story;  // a tensor for out= is only written
  story.elements = element_count(operand);
  const std::vector<std::byte> bytes = broadcast_values(c, position, operand.sizes);
  const std::size_t size = itemsize(operand.dtype);
  for (std::size_t i = 0; i < std::min(kShown, bytes.size() / size); ++i)
    story.values.push_back(value_bits(operand.dtype, bytes.data() + i * size));
  return story;
}

/// The arguments that a case gives: (position, name of the schema's parameter). Absent ones are
/// left out.
std::vector<std::pair<int, std::string>> given(const Case& c) {
  std::vector<std::pair<int, std::string>> positions;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i)
    if (c.arguments[static_cast<std::size_t>(i)].tag != Operand::Tag::kAbsent)
      positions.emplace_back(i, c.schema().parameters[static_cast<std::size_t>(i)].name);
  if (c.form == Form::kOut) positions.emplace_back(kOutPosition, "out");
  return positions;
}

/// The elements in which both answers differ, with the values of the operands at these places.
std::vector<ElementStory> element_stories(const Told& told, Sides sides) {
  std::vector<ElementStory> stories;
  if (!told.subject || !told.oracle) return stories;
  const Answer& a = told.subject->answer;
  const Answer& b = told.oracle->answer;
  if (a.tag != Answer::Tag::kTensor || b.tag != Answer::Tag::kTensor || a.dtype != b.dtype ||
      a.sizes != b.sizes || a.bytes.size() != b.bytes.size())
    return stories;
  const std::size_t size = itemsize(a.dtype);
  for (const std::size_t i : differing_elements(told.c, a, b, sides)) {
    if (stories.size() == 4) break;
    ElementStory& story = stories.emplace_back();
    story.index = static_cast<int64_t>(i);
    for (const auto& [position, name] : given(told.c)) {
      const Operand& operand = told.c.operand(position);
      story.operands.emplace_back();
      if (operand.tag != Operand::Tag::kTensor || position == kOutPosition) continue;
      const std::vector<std::byte> bytes = broadcast_values(told.c, position, a.sizes);
      const std::size_t width = itemsize(operand.dtype);
      if ((i + 1) * width <= bytes.size())
        story.operands.back() = value_bits(operand.dtype, bytes.data() + i * width);
    }
    story.subject = value_bits(a.dtype, a.bytes.data() + i * size);
    story.oracle = value_bits(b.dtype, b.bytes.data() + i * size);
  }
  return stories;
}

/// Restores an answer whose text was cut: takes the other side's answer, and sets the one element
/// that the verdict names to `value`. Nothing if that is not possible.
std::optional<Reply> patched(const Reply& other, const Difference& difference,
                             const std::string& value) {
  Reply reply = other;
  const DType dtype = other.answer.dtype;
  const std::size_t size = itemsize(dtype);
  const auto element = static_cast<std::size_t>(difference.element);
  if (difference.what != Difference::What::kElement || difference.result != 0 ||
      other.answer.tag != Answer::Tag::kTensor || (element + 1) * size > other.answer.bytes.size())
    return std::nullopt;
  try {
    TextCursor cursor(value);
    std::vector<std::byte> bytes;
    parse_element(cursor, dtype, bytes);
    std::memcpy(reply.answer.bytes.data() + element * size, bytes.data(), size);
  } catch (const SyntaxFault&) {
    return std::nullopt;
  }
  return reply;
}

/// A side's reply to a case. impl:cpu is asked again in this process, because it answers alike on
/// every machine; other replies are read from the record's `text`.
std::optional<Reply> reply_of(const std::string& side, const Case& c, const std::string& text) {
  if (side == "impl:cpu") {
    Reply reply;
    make_subject(side)->answer(c, reply.answer);
    if (to_text(reply.answer, elements_in(text)) == text) return reply;
  }
  return recorded_reply(text);
}

Told read_back(const CaseRecord& record, const reports::Summary& summary) {
  Told told{.c = parse_case(record.line), .code = record.verdict.found};
  told.subject = reply_of(summary.subject, told.c, record.subject);
  told.oracle = reply_of(summary.oracle, told.c, record.oracle);
  if (const auto& difference = record.verdict.difference) {
    if (!told.subject && told.oracle)
      told.subject = patched(*told.oracle, *difference, difference->subject);
    if (!told.oracle && told.subject)
      told.oracle = patched(*told.subject, *difference, difference->oracle);
  }
  return told;
}

std::string needs_of(const fuzz::Callee& callee) {
  switch (callee.kind) {
    case fuzz::Callee::Kind::kLibTorch:
      return "";
    case fuzz::Callee::Kind::kTorch:
      return "calls " + callee.name;
    case fuzz::Callee::Kind::kPlugin:
      return "calls the plug-in; building it needs upcast's plugin.h";
    case fuzz::Callee::Kind::kProcess:
      return "starts the process and asks it; needs nothing else";
  }
  return "";
}

/// Adds to a case's story programs that show its difference: they call the side that is treated as
/// wrong. Or adds why there is no program.
void add_programs(const Told& told, const CaseRecord& record, const reports::Summary& summary,
                  Sides sides, CaseStory& story) {
  if (!is_failure(told.code) || told.code == VerdictCode::kExpectation) {
    story.no_program = "the sides do not differ";
    return;
  }
  const Side subject = parse_side(summary.subject);
  const Side oracle = parse_side(summary.oracle);
  const reports::KnownEntry* const entry = summary.entry(record.known);
  const bool calls_subject =
      fuzz::suspect(subject, oracle,
                    reports::wrong_side(reports::blame_of(record.verdict, entry))) ==
      Role::kSubject;
  const Side& called = calls_subject ? subject : oracle;
  const Side& other = calls_subject ? oracle : subject;
  fuzz::Reproducible made{.name = "finding", .c = told.c, .code = told.code};
  made.callee = fuzz::callee_of(called);
  const std::optional<Reply>& right = calls_subject ? told.oracle : told.subject;
  const std::optional<Reply>& wrong = calls_subject ? told.subject : told.oracle;
  if (!right || !wrong || right->died()) {
    story.no_program =
        "the record does not hold both answers in full; use upcast repro, which asks both sides "
        "again";
    return;
  }
  if (told.code == VerdictCode::kDifferStrides || told.code == VerdictCode::kDifferAlias ||
      told.code == VerdictCode::kNondeterminism) {
    story.no_program =
        "the record does not hold what differs; use upcast repro, which asks both sides again";
    return;
  }
  made.c.expectation.reset();
  made.right = *right;
  made.right.answer.without_strides = true;  // a record keeps no strides
  made.wrong = *wrong;
  made.sides = sides;
  made.device = called.device;
  made.capability = called.capability;
  made.has_onednn = called.has_onednn;
  made.who_is_wrong = reports::wrong_sentence(record.verdict, entry, summary.sides());
  const auto version = summary.environment.find("libtorch");
  const std::string libtorch = version == summary.environment.end() ? "" : version->second;
  if (called.is_libtorch()) made.libtorch = libtorch;
  if (made.callee.kind != fuzz::Callee::Kind::kLibTorch)
    made.reference = !other.is_libtorch() ? to_string(other)
                     : libtorch.empty()   ? "PyTorch"
                                          : "PyTorch " + libtorch;
  made.signature = record.signature;
  if (const std::string& truth = record.verdict.ruling.truth; !truth.empty())
    made.truth = truth + " (correctly rounded)";
  else if (record.verdict.ruling.outcome == Ruling::Outcome::kUndecided)
    made.truth = "undecided: " + why_undecided(record.verdict.ruling);
  const bool is_of_torch = made.callee.kind == fuzz::Callee::Kind::kLibTorch ||
                           made.callee.kind == fuzz::Callee::Kind::kTorch;
  if (is_of_torch && made.callee.kernels.empty()) story.no_python = fuzz::why_not_in_python(made.c);
  if (entry != nullptr) {
    made.reason = entry->reason;
    made.witness = entry->witness;
    if (!entry->python.empty()) story.no_python = entry->python;
  }
  if (told.code == VerdictCode::kDifferValue &&
      (right->answer.bytes.size() != wrong->answer.bytes.size() ||
       differing_elements(told.c, wrong->answer, right->answer, sides).empty())) {
    story.no_program =
        "the record does not hold the elements that differ; use upcast repro, which asks both "
        "sides again";
    return;
  }
  story.needs = needs_of(made.callee);
  if (why_not_in_cpp(made.callee).empty()) story.cpp = fuzz::cpp_reproducer(made);
  if (story.no_python.empty() && why_not_in_python(made.callee).empty())
    story.python = fuzz::python_reproducer(made);
}

}  // namespace

CaseStory tell_case(const CaseRecord& record, const reports::Summary& summary) {
  const Sides sides = sides_of(summary.subject, summary.oracle);
  CaseStory story;
  try {
    const Told told = read_back(record, summary);
    story.explanation = explanation_text(Explanation(told.c));
    for (const auto& [position, name] : given(told.c))
      story.operands.push_back(operand_story(told.c, position, name));
    story.elements = element_stories(told, sides);
    try {
      add_programs(told, record, summary, sides, story);
    } catch (const UsageError& error) {  // the side cannot be called, or has no interpreter
      story.no_program = error.what();
    }
  } catch (const UsageError& error) {
    // Another version of upcast may have made the run, with ops or notation that this one lacks.
    story.no_program = fmt::format("this upcast cannot read the case: {}", error.what());
  }
  return story;
}

}  // namespace upcast::tools
