#include "tools/fuzz/parsers/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "impl/core/error.h"

namespace upcast::fuzz {

extern const char kParserCorpora[];

namespace {

/// The most bytes of a message that does not repeat its text; our messages are far shorter.
constexpr std::size_t kMaxMessage = std::size_t{16} << 10;

/// What is wrong with the message of a refusal; "" if nothing is. A message may repeat the refused
/// text, even its control characters: upcast shows messages through visible(), as one line.
std::string_view fault_of(std::string_view message, std::string_view text) {
  if (message.empty()) return "an empty message";
  if (message.size() > kMaxMessage + 4 * text.size())
    return "a message longer than what it refuses";
  // a text with a backslash may spell any control character, as JSON's \u001b
  const bool spells_any = text.find('\\') != text.npos;
  for (const char c : message)
    if ((static_cast<unsigned char>(c) < ' ' || c == 0x7f) && !spells_any &&
        text.find(c) == text.npos)
      return "a message with a control character of our own";
  return "";
}

/// The inputs of each parser, by its name. The file has a section for each parser: a line "[NAME]",
/// then one input a line.
std::map<std::string, std::vector<std::string>, std::less<>> read_corpora(std::string_view text) {
  std::map<std::string, std::vector<std::string>, std::less<>> corpora;
  std::vector<std::string>* section = nullptr;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("# ")) continue;
    if (line.starts_with("[parser "))
      section = &corpora[std::string(line.substr(8, line.size() - 9))];
    else if (section != nullptr)
      section->push_back(unescaped(line));
  }
  return corpora;
}

}  // namespace

std::vector<Parser> all_parsers() {
  std::vector<Parser> all;
  for (const auto parsers : {text_parsers(), message_parsers(), file_parsers()})
    all.insert(all.end(), parsers.begin(), parsers.end());
  return all;
}

const Parser* find_parser(std::string_view name) {
  static const std::vector<Parser> all = all_parsers();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [name](const Parser& parser) { return parser.name == name; });
  return found == all.end() ? nullptr : &*found;
}

ParserOutcome run_parser(const Parser& parser, const std::string& text) {
  ParserOutcome outcome;
  try {
    parser.parse(text);
  } catch (const UsageError& error) {
    outcome.refused = true;
    outcome.message = error.what();
    outcome.fault = fault_of(outcome.message, text);
  } catch (const BrokenPromise& broken) {
    outcome.fault = broken.what();
  } catch (const std::exception& error) {
    outcome.fault = std::string("no UsageError: ") + error.what();
  }
  return outcome;
}

std::vector<std::string> parser_corpus(std::string_view name) {
  static const auto corpora = read_corpora(kParserCorpora);
  const auto found = corpora.find(name);
  return found == corpora.end() ? std::vector<std::string>() : found->second;
}

std::string escaped(std::string_view input) {
  std::string line;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const char c = input[i];
    if (c == '\\')
      line += "\\\\";
    else if (c == '\n')
      line += "\\n";
    else if (c < ' ' || c > '~' || (i == 0 && (c == '#' || c == '[')) ||
             (i + 1 == input.size() && c == ' '))  // a line must not look like a comment
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      line += c;
  }
  return line;
}

std::string unescaped(std::string_view line) {
  std::string input;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      input += line[i];
    } else if (line[++i] == 'x') {
      input += static_cast<char>(std::stoul(std::string(line.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      input += line[i] == 'n' ? '\n' : line[i];
    }
  }
  return input;
}

}  // namespace upcast::fuzz
