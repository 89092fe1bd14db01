#include "cases/dtype_sets.h"

#include <algorithm>

#include "cases/text_cursor.h"

namespace upcast::internal {
namespace {

struct Choice {
  std::size_t position;
  std::string_view text;
};

struct DTypeSetText {
  std::size_t open, close;  // where the set's braces stand
  std::vector<Choice> choices;
  bool in_expectation;
};

DTypeSetText read_set(std::string_view line, std::size_t open, bool in_expectation) {
  DTypeSetText set{.open = open, .close = open, .choices = {}, .in_expectation = in_expectation};
  TextCursor cursor(line, open + 1);
  do {
    cursor.skip_blanks();
    const std::size_t start = cursor.position();
    const std::string_view word = cursor.word(".");
    if (word.empty()) cursor.fail("expected a dtype in this set, found " + cursor.found());
    set.choices.push_back({start, word});
  } while (cursor.accept_spaced(","));
  cursor.expect("}", "after a set of dtypes");
  set.close = cursor.position() - 1;
  return set;
}

std::vector<DTypeSetText> find_sets(std::string_view line) {
  std::vector<DTypeSetText> sets;
  bool quoted = false;
  bool in_expectation = false;
  char before = '\0';  // the last character so far that is not blank
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '\\') {
      ++i;
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    const bool arrow = before == '-' && c == '>';
    in_expectation = in_expectation || arrow;
    if (c == '{' && (before == '(' || before == ',' || before == '=' || before == '>')) {
      sets.push_back(read_set(line, i, in_expectation));
      i = sets.back().close;
      before = '}';
      continue;
    }
    if (c == '{') {  // a value list, not a set
      i = std::min(line.find('}', i), line.size());
      before = '}';
      continue;
    }
    if (c != ' ' && c != '\t') before = c;
  }
  return sets;
}

/// Checks that a set in the expectation has exactly one other set, of the same length, to pair
/// with. Then one choice sets both.
void check_pairing(const std::vector<DTypeSetText>& sets) {
  if (sets.empty() || !sets.back().in_expectation) return;
  if (sets.size() != 2 || sets[0].in_expectation ||
      sets[0].choices.size() != sets[1].choices.size())
    TextCursor::fail_at(sets.back().open,
                        "a set in the expectation needs exactly one other set of the same length");
}

void check_count(const std::vector<DTypeSetText>& sets) {
  std::size_t lines = 1;
  for (const DTypeSetText& set : sets) {
    if (!set.in_expectation) lines *= set.choices.size();
    if (lines > kMaxLinesOfSets)
      TextCursor::fail_at(set.open, "the sets of a line may mean at most " +
                                        std::to_string(kMaxLinesOfSets) + " lines");
  }
}

/// Makes `expanded` the line with one choice of each set.
void substitute(std::string_view line, const std::vector<DTypeSetText>& sets,
                const std::vector<std::size_t>& chosen, ExpandedLine& expanded) {
  expanded.text.clear();
  expanded.origin.clear();
  std::size_t at = 0;
  const auto copy_until = [&](std::size_t end) {
    for (; at < end; ++at) {
      expanded.text += line[at];
      expanded.origin.push_back(at);
    }
  };
  for (std::size_t i = 0; i < sets.size(); ++i) {
    copy_until(sets[i].open);
    const Choice& choice = sets[i].choices[chosen[i]];
    for (std::size_t k = 0; k < choice.text.size(); ++k) {
      expanded.text += choice.text[k];
      expanded.origin.push_back(choice.position + k);
    }
    at = sets[i].close + 1;
  }
  copy_until(line.size());
}

}  // namespace

void expand_dtype_sets(std::string_view line,
                       const std::function<void(const ExpandedLine&)>& take) {
  const std::vector<DTypeSetText> sets = find_sets(line);
  check_pairing(sets);
  check_count(sets);
  const bool paired = !sets.empty() && sets.back().in_expectation;
  std::vector<std::size_t> chosen(sets.size(), 0);
  ExpandedLine expanded;
  while (true) {
    substitute(line, sets, chosen, expanded);
    take(expanded);
    std::size_t turning = paired ? 1 : sets.size();
    while (turning > 0 && ++chosen[turning - 1] == sets[turning - 1].choices.size())
      chosen[--turning] = 0;
    if (turning == 0) return;
    if (paired) chosen[1] = chosen[0];
  }
}

}  // namespace upcast::internal
