// The parsers of outside data that are fuzzed. Each accepts any bytes, or refuses them with one
// line.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::fuzz {

struct Parser {
  std::string_view name;
  /// Throws UsageError if it refuses the text, and BrokenPromise if a property of the parser does
  /// not hold.
  void (*parse)(const std::string& text);
  std::string seed;  // a text that the parser accepts
};

/// A property of a parser that does not hold, such as: a printed value parses to the same value.
struct BrokenPromise : std::logic_error {
  using std::logic_error::logic_error;
};

inline void promise(bool holds, const char* broken) {
  if (!holds) throw BrokenPromise(broken);
}

/// Parsers of texts that people write: cases, questions, numbers, names, options, TOML.
std::span<const Parser> text_parsers();
/// Parsers of what other processes say, and of what they write to shared memory.
std::span<const Parser> message_parsers();
/// Parsers of files that programs wrote: stores, campaigns, sweeps, corpora.
std::span<const Parser> file_parsers();

/// Parsers of texts, messages and files together.
std::vector<Parser> all_parsers();
/// The parser of that name; null if there is none.
const Parser* find_parser(std::string_view name);

struct ParserOutcome {
  bool refused = false;
  std::string message{};  // what a refusal says; "" if the parser refused nothing
  std::string fault{};    // what the parser itself did wrong; "" if nothing
};
ParserOutcome run_parser(const Parser& parser, const std::string& text);

/// The committed inputs of a parser (fuzz/seeds/parsers), also those that it refuses.
std::vector<std::string> parser_corpus(std::string_view name);

/// Writes an input as a line of a parser's corpus, and reads it back. Printable ASCII stays as it
/// is; other bytes become \\ \n \xHH.
std::string escaped(std::string_view input);
std::string unescaped(std::string_view line);

}  // namespace upcast::fuzz
