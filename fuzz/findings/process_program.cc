// Writes a program that asks a process in the process protocol, with the right answer next to the
// process's.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/json_text.h"
#include "cases/literal.h"
#include "cases/visible.h"
#include "fuzz/findings/reproducer.h"
#include "oracle/protocol/request.h"

namespace upcast::fuzz {

/// The text of process_prelude.py.in, which CMake embeds.
extern const char kProcessPrelude[];

namespace {

using Json = nlohmann::ordered_json;

constexpr int kStart = 60;  // seconds that a framework may take to start

std::string expected_text(const Reproducible& finding) {
  const Answer& right = finding.right.answer;
  if (right.tag == Answer::Tag::kRefusal) return R"({"refuses": True})";
  if (right.tag == Answer::Tag::kDType)
    return fmt::format(R"({{"dtype": "{}"}})", name(right.dtype));
  std::string text;
  for (const internal::ExpectedPart& part : internal::expected_parts(finding)) {
    std::string elements;
    for (const internal::ElementPart& element : part.elements)
      elements += fmt::format("{}({}, \"{}\", {})", elements.empty() ? "" : ", ", element.index,
                              element.right, print_number(Number(element.tolerance)));
    text += fmt::format(
        "{}\n          {{\"dtype\": \"{}\", \"shape\": [{}], \"strides\": {}, \"elements\": [{}]}}",
        text.empty() ? "" : ",", name(part.dtype), fmt::join(part.sizes, ", "),
        part.has_strides ? fmt::format("[{}]", fmt::join(part.strides, ", ")) : "None", elements);
  }
  return fmt::format("{{\"ok\": [{}]}}", text);
}

/// A text as a string literal of Python.
std::string literal(const std::string& text) {
  const bool is_raw = text.find_first_of("'\\") == text.npos && first_hidden(text) == text.npos;
  return is_raw ? "'" + text + "'" : dump_json(nlohmann::json(text));
}

}  // namespace

std::string internal::process_program(const Reproducible& finding) {
  protocol::RequestWriter writer(nullptr);
  writer.start(1);
  writer.add(finding.c, 0);
  std::string text;
  for (const std::string& line : head_lines(finding)) text += "# " + line + "\n";
  text += fmt::format(
      "# Exit code: 1 the process differs, 0 its answer is that of {}, 2 it does not answer the "
      "call.\n# Start it in the folder where the command finds its files. Messages: "
      "docs/process_protocol.md of upcast.\n",
      visible(finding.reference));
  text += kProcessPrelude;
  text += fmt::format("\n\nCOMMAND = {}\nMESSAGES = [\n", literal(finding.callee.target));
  for (const std::string& line :
       {protocol::hello_line(nullptr), protocol::configure_line(finding.c.defaults.floating),
        writer.finish(), std::string(R"({"cmd":"stop"})")})
    text += "    " + literal(line) + ",\n";
  const double seconds = std::ceil(finding.time_limit) + kStart;
  return text +
         fmt::format(
             "]\nEXPECTED = {}\nsys.exit(compare(ask(COMMAND, MESSAGES, {}), {}, {}, EXPECTED))\n",
             expected_text(finding), static_cast<int>(seconds), internal::quoted(finding.reference),
             internal::quoted(expected_words(finding)));
}

}  // namespace upcast::fuzz
