// Every parser of outside data, on any bytes: it takes them, or throws a UsageError of one line.
//   the first byte chooses the parser, the rest is its text; with UPCAST_FUZZ_PARSER=NAME all of
//   it is the text of that one
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

/// The parsers that inputs choose from.
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

/// Text of a parser as an input.
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

/// Precondition: there is a byte, or one parser.
Chosen choose(std::span<const std::uint8_t> input) {
  if (is_one()) return {0, {input.begin(), input.end()}};
  return {input[0] % parsers().size(), {input.begin() + 1, input.end()}};
}

/// What a refusal says, without the temporary folder's name and the places in the file.
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

/// Sound texts of each parser, and its corpus.
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
