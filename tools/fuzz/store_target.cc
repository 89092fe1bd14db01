// The fuzz target store: gives any bytes to a parser of outside data, which must accept them, or
// throw a UsageError of one line. The first byte of an input chooses the parser, and the rest is
// its text. With UPCAST_FUZZ_PARSER=NAME the whole input is the text of that parser.
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"
#include "impl/core/error.h"
#include "tools/fuzz/parsers/parser.h"

namespace upcast::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The parsers that an input can choose: all, or only the one that UPCAST_FUZZ_PARSER names.
const std::vector<Parser>& parsers() {
  static const std::vector<Parser> chosen = [] {
    const char* const name = std::getenv("UPCAST_FUZZ_PARSER");
    if (name == nullptr || *name == '\0') return all_parsers();
    if (const Parser* parser = find_parser(name)) return std::vector<Parser>{*parser};
    std::string names;
    for (const Parser& parser : all_parsers()) names += " " + std::string(parser.name);
    std::fprintf(stderr, "UPCAST_FUZZ_PARSER: no parser '%s'; one of:%s\n", name, names.c_str());
    std::exit(2);
  }();
  return chosen;
}

bool is_one() { return parsers().size() == 1; }

/// The input that gives this text to the parser with this index.
Bytes input_of_text(std::size_t parser, std::string_view text) {
  Bytes bytes;
  if (!is_one()) bytes.push_back(static_cast<std::uint8_t>(parser));
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

struct Chosen {
  std::size_t parser = 0;
  std::string text{};
};

/// The parser that an input chooses, and the text for it. Precondition: the input is not empty, or
/// there is only one parser.
Chosen choose(std::span<const std::uint8_t> input) {
  if (is_one()) return {0, {input.begin(), input.end()}};
  return {input[0] % parsers().size(), {input.begin() + 1, input.end()}};
}

/// A hash of a refusal's message. It leaves out the temporary folder's name and all digits, so that
/// refusals of one kind are one feature.
std::uint32_t kind_of(std::string_view message) {
  std::uint32_t kind = 0;
  for (const char letter : message.substr(message.rfind('/') + 1))
    if (letter < '0' || letter > '9') kind = kind * 31 + static_cast<std::uint8_t>(letter);
  return kind;
}

}  // namespace

Bytes input_of(std::string_view line) { return input_of_text(0, line); }

std::string text_of_input(const Bytes& input) {
  if (input.empty()) return "";
  const Chosen chosen = choose(input);
  const std::string text = escaped(chosen.text);
  return is_one() ? text : std::string(parsers()[chosen.parser].name) + ": " + text;
}

/// The seeds of the target: for each parser a text that it accepts, and its committed corpus.
std::vector<Bytes> own_seeds() {
  std::vector<Bytes> seeds;
  for (std::size_t i = 0; i < parsers().size(); ++i) {
    seeds.push_back(input_of_text(i, parsers()[i].seed));
    for (const std::string& text : parser_corpus(parsers()[i].name))
      seeds.push_back(input_of_text(i, text));
  }
  return seeds;
}

}  // namespace upcast::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upcast;
  static fuzz::FindingLog log("store");
  if (size == 0) return 0;
  log.tick();
  const fuzz::Chosen chosen = fuzz::choose({data, size});
  const fuzz::Parser& parser = fuzz::parsers()[chosen.parser];
  const fuzz::ParserOutcome outcome = fuzz::run_parser(parser, chosen.text);
  const auto id = static_cast<std::uint32_t>(chosen.parser);
  if (outcome.refused) {
    ++log.progress.refused;
    fuzz::mark_feature(100 + id, fuzz::kind_of(outcome.message));
  } else {
    fuzz::mark_feature(4, id);
  }
  if (outcome.fault.empty()) return 0;
  fuzz::FindingRow row;
  row.check = parser.name;
  row.signature = std::string(parser.name) + " " + outcome.fault;
  row.verdict = "differ(refusal)";
  row.line = fuzz::text_of_input({data, data + size});
  row.detail = outcome.fault;
  row.command = fuzz::replay_command("store", std::span(data, size));
  log.add(row, row.signature);
  return 0;
}
