// Parsers of outside data: each takes any bytes, or refuses them in one line.
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
  /// Throws UsageError for what it refuses, and BrokenPromise where it does what it says it does
  /// not.
  void (*parse)(const std::string& text);
  std::string seed;  // what it takes
};

/// A property that does not hold: what was printed parses to something else, ...
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

/// All of them.
std::vector<Parser> all_parsers();
/// Null for a name that is none.
const Parser* find_parser(std::string_view name);

struct ParserOutcome {
  bool refused = false;
  std::string message{};  // of a refusal
  std::string fault{};    // of the parser: "" where there is none
};
ParserOutcome run_parser(const Parser& parser, const std::string& text);

/// The committed inputs of a parser (fuzz/seeds/parsers), those that it refuses too.
std::vector<std::string> parser_corpus(std::string_view name);

/// An input as a line of such a corpus, and back: printable ASCII as it is, else \\ \n \xHH.
std::string escaped(std::string_view input);
std::string unescaped(std::string_view line);

}  // namespace upcast::fuzz
