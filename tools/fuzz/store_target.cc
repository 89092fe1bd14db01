// The fuzz target store: gives any bytes to a parser of outside data, which must accept them, or
// throw a UsageError of one line. The first byte of an input chooses the parser, and the rest is
// its text. With UPCAST_FUZZ_PARSER=NAME the whole input is the text of that parser.
//
// The parser also gets three texts near the input's. Most parsers take less time than libFuzzer
// takes to choose an input and to look at what it reached.
#include <cstdlib>
#include <string>
#include <vector>

#include "cases/values.h"
#include "fuzz/features.h"
#include "fuzz/finding_command.h"
#include "fuzz/finding_log.h"
#include "fuzz/seeds.h"
#include "fuzz/targets/target.h"
#include "impl/core/error.h"
#include "oracle/signature.h"
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

/// How many texts near it a parser gets for each input.
constexpr int kNeighbours = 3;

/// `text` with one byte removed, doubled, changed, or with its end cut off.
std::string neighbour(std::string text, SplitMix64& random) {
  if (text.empty()) return text;
  const std::size_t at = random.next() % text.size();
  const std::uint64_t choice = random.next();
  switch (choice % 4) {
    case 0:
      return text.erase(at, 1);
    case 1:
      return text.insert(at, 1, text[at]);
    case 2:
      text[at] = static_cast<char>(text[at] ^ 1 << (choice >> 2) % 8);
      return text;
    default:
      return text.substr(0, at);
  }
}

/// Counts the texts that the process parsed, and says so when it ends: ci/fuzz_parsers.py asks.
struct TextCount {
  std::int64_t texts = 0;
  ~TextCount() {
    if (is_one()) std::fprintf(stderr, "stat::number_of_parsed_texts: %ld\n", texts);
  }
};

void parse(std::size_t parser, const std::string& text, std::span<const std::uint8_t> input) {
  static FindingLog log("store");
  static TextCount count;
  log.tick();
  ++count.texts;
  const ParserOutcome outcome = run_parser(parsers()[parser], text);
  const auto id = static_cast<std::uint32_t>(parser);
  if (outcome.refused) {
    ++log.progress.refused;
    mark_feature(100 + id, kind_of(outcome.message));
  } else {
    mark_feature(4, id);
  }
  if (outcome.fault.empty()) return;
  const std::string name(parsers()[parser].name);
  FindingRow row;
  row.check = name;
  row.signature = name + " " + outcome.fault;
  row.verdict = "differ(refusal)";
  row.line = text_of_input(input_of_text(parser, text));
  row.detail = outcome.fault;
  row.command = replay_command("store", input);
  log.add(row, row.signature);
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
  using namespace upcast::fuzz;
  if (size == 0) return 0;
  const Chosen chosen = choose({data, size});
  parse(chosen.parser, chosen.text, {data, size});
  upcast::SplitMix64 random(upcast::hash_of(chosen.text));
  for (int i = 0; i < kNeighbours; ++i)
    parse(chosen.parser, neighbour(chosen.text, random), {data, size});
  return 0;
}
