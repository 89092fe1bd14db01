#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "cases/callable_index.h"
#include "cases/case_pattern.h"
#include "cases/glob.h"
#include "cases/spelled_values.h"
#include "cases/text_cursor.h"

namespace upcast {
namespace {

using Pattern = CasePattern::Pattern;

/// A glob made from a name with braces by one choice of alternatives, and where in the selector
/// each chosen alternative stands.
struct ExpandedName {
  std::string glob;
  std::vector<std::size_t> chosen;
};

/// Expands braces: `a{b,c}d` becomes abd and acd, one brace group after another. Faults if that
/// gives more than kMaxNamesOfBraces names.
std::vector<ExpandedName> expand_braces(std::string_view text, std::size_t position) {
  const std::size_t open = text.find('{');
  if (open == text.npos) return {{std::string(text), {}}};
  const std::size_t close = text.find('}', open);
  if (close == text.npos) TextCursor::fail_at(position + open, "this '{' has no '}'");
  std::vector<ExpandedName> expanded;
  const std::vector<ExpandedName> tails =
      expand_braces(text.substr(close + 1), position + close + 1);
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(text.find(',', at), close);
    for (const ExpandedName& tail : tails) {
      expanded.push_back(
          {std::string(text.substr(0, open)) + std::string(text.substr(at, end - at)) + tail.glob,
           tail.chosen});
      expanded.back().chosen.push_back(position + at);
    }
    if (expanded.size() > kMaxNamesOfBraces)
      TextCursor::fail_at(position + open, "the braces of a name may mean at most " +
                                               std::to_string(kMaxNamesOfBraces) + " names");
    at = end + 1;
  }
  return expanded;
}

struct KeywordPattern {
  std::size_t position;
  std::string_view keyword;
  Pattern pattern;
};

/// Reads a selector, and resolves the names in it in the catalogue.
class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : cursor_(text) {}

  CasePattern parse() {
    cursor_.skip_blanks();
    const std::size_t start = cursor_.position();
    const std::string_view name = cursor_.word(".*{,}");
    if (name.empty()) cursor_.fail("expected an op, as in add.Tensor(*, *)");
    const std::vector<ExpandedName> names = expand_braces(name, start);
    pattern_.defaults = kEveryDefault;
    cursor_.expect("(", "after the op");
    if (!cursor_.accept_spaced(")")) {
      do {
        parse_argument();
      } while (cursor_.accept_spaced(","));
      cursor_.expect(")", "or ',' after a pattern");
    }
    while (cursor_.accept_spaced("@")) parse_setting();
    cursor_.skip_blanks();
    if (!cursor_.at_end())
      cursor_.fail("expected @SETTING=VALUE or the end, found " + cursor_.found());
    take_callables(names, start);
    return std::move(pattern_);
  }

 private:
  inline static const DTypeSet kEveryDefault = [] {
    TextCursor any("*");
    return parse_dtype_set(any);
  }();

  void parse_argument() {
    cursor_.skip_blanks();
    const std::size_t start = cursor_.position();
    if (open_ended_) cursor_.fail("'...' stands last");
    if (cursor_.accept("...")) {
      open_ended_ = true;
      return;
    }
    TextCursor ahead = cursor_;
    const std::string_view keyword = ahead.word();
    if (keyword.empty() || !ahead.accept_spaced("=")) {
      if (!keywords_.empty()) cursor_.fail("patterns by position come before the named ones");
      positional_.push_back(parse_pattern());
      return;
    }
    ahead.skip_blanks();
    cursor_ = ahead;
    if (keyword == "values")
      parse_value_classes();
    else if (keyword == "out")
      pattern_.out = parse_pattern();
    else
      keywords_.push_back({start, keyword, parse_pattern()});
  }

  Pattern parse_pattern() {
    return std::make_shared<const OperandPattern>(OperandPattern::parse(cursor_));
  }

  void parse_value_classes() {
    pattern_.value_classes = 0;
    const bool set = cursor_.accept("{");
    do {
      cursor_.skip_blanks();
      const std::size_t start = cursor_.position();
      const std::string_view word = cursor_.word();
      const auto* found = std::find(kValueClassNames.begin(), kValueClassNames.end(), word);
      if (found == kValueClassNames.end() && word != kSpelledValues)
        TextCursor::fail_at(start, "a value class is small, special or random, or is written out");
      pattern_.value_classes |= 1U << (found - kValueClassNames.begin());
    } while (set && cursor_.accept_spaced(","));
    if (set) cursor_.expect("}", "after a set of value classes");
  }

  void parse_setting() {
    const std::size_t start = cursor_.position();
    const std::string_view word = cursor_.word();
    cursor_.expect("=", "after a setting's name");
    if (word == "default") {
      pattern_.defaults = parse_dtype_set(cursor_);
    } else if (word == "device") {
      const std::string_view device = cursor_.word("*");
      const std::optional<Device> one = find_device(device);
      if (!one && device != "*") TextCursor::fail_at(start, "a device is cpu, cuda, meta or *");
      pattern_.device = one;
    } else {
      TextCursor::fail_at(start, "unknown setting '@" + std::string(word) +
                                     "' (@default=DTYPES, @device=cpu|cuda|meta)");
    }
  }

  /// The selector's patterns for each parameter of a callable. Nothing if they do not fit its
  /// schema.
  std::optional<CasePattern::ParameterPatterns> fit(const internal::Callable& callable) const {
    const std::vector<Parameter>& parameters = callable.schema().parameters;
    CasePattern::ParameterPatterns patterns(parameters.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!stands_by_position(parameters[i])) continue;
      if (next < positional_.size())
        patterns[i].push_back(positional_[next++]);
      else if (!open_ended_)
        return std::nullopt;
    }
    if (next < positional_.size()) return std::nullopt;
    for (const KeywordPattern& named : keywords_) {
      const int at = callable.schema().find(named.keyword);
      if (at < 0) return std::nullopt;
      patterns[at].push_back(named.pattern);
    }
    if (pattern_.out && callable.form != Form::kOut) return std::nullopt;
    return patterns;
  }

  /// Finds the callables that the expanded names mean. Not every combination of alternatives must
  /// exist (mul_.out does not), but each alternative must name a callable that takes the arguments.
  void take_callables(const std::vector<ExpandedName>& names, std::size_t start) {
    bool named = false;
    std::set<std::size_t> fruitful;
    std::set<std::size_t> written;
    for (const ExpandedName& name : names) {
      written.insert(name.chosen.begin(), name.chosen.end());
      for (const internal::Callable& callable : internal::CallableIndex::get().all()) {
        if (!matches_glob(name.glob, callable.name)) continue;
        named = true;
        auto patterns = fit(callable);
        if (!patterns) continue;
        pattern_.callables[callable.name] = std::move(*patterns);
        fruitful.insert(name.chosen.begin(), name.chosen.end());
      }
    }
    if (!named)
      TextCursor::fail_at(start, "no callable has this name ('upcast list ops' shows them)");
    if (pattern_.callables.empty())
      TextCursor::fail_at(start,
                          "no callable of this name takes these arguments; '...' means further "
                          "arguments, and attributes are given by name");
    for (std::size_t position : written)
      if (!fruitful.contains(position))
        TextCursor::fail_at(position,
                            "this alternative names no callable that takes these "
                            "arguments");
  }

  TextCursor cursor_;
  CasePattern pattern_;
  std::vector<Pattern> positional_;
  std::vector<KeywordPattern> keywords_;
  bool open_ended_ = false;
};

}  // namespace

CasePattern CasePattern::parse(std::string_view text) { return PatternParser(text).parse(); }

}  // namespace upcast
