#include "cases/laws/identity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {

/// The text of cases/laws/identities.txt, which CMake embeds.
extern const char kIdentities[];

namespace {

struct Word {
  std::string_view name;
  Category category;
};
constexpr std::array<Word, 4> kCategories{{{"bool", Category::kBool},
                                           {"integral", Category::kIntegral},
                                           {"floating", Category::kFloating},
                                           {"complex", Category::kComplex}}};

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// Reads one line of identities. A fault names file, line and column.
class IdentityParser {
 public:
  IdentityParser(std::string_view line, std::string place)
      : line_(line), place_(std::move(place)) {}

  Identity parse() {
    Identity identity;
    identity.left = expression();
    identity.relation = relation();
    identity.right = expression();
    identity.text = std::string(line_.substr(0, at_));
    identity.dtypes = dtypes();
    return identity;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(place_ + ":" + std::to_string(at_ + 1) + ": " + what);
  }
  void skip_blanks() {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
  }
  bool take(std::string_view text) {
    skip_blanks();
    if (!line_.substr(at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  std::string_view name() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < line_.size() && is_name(line_[at_])) ++at_;
    return line_.substr(begin, at_ - begin);
  }

  Expression expression() {
    Expression expression{.callable = std::string(name())};
    if (expression.callable.empty() || !take("(")) fail("a call is NAME(ARGUMENTS)");
    do expression.arguments.push_back(argument());
    while (take(","));
    if (!take(")")) fail("the call needs a ')'");
    return expression;
  }

  Expression::Argument argument() {
    Expression::Argument argument;
    skip_blanks();
    const std::size_t begin = at_;
    const std::string word(name());
    if (!word.empty() && take("=")) {
      argument = this->argument();
      argument.keyword = word;
      return argument;
    }
    if (!word.empty() && at_ < line_.size() && line_[at_] == '(') {
      at_ = begin;
      argument.nested.push_back(expression());
      return argument;
    }
    at_ = std::min(line_.find_first_of(",)", begin), line_.size());
    argument.text = std::string(line_.substr(begin, at_ - begin));
    if (argument.text.empty()) fail("an argument is x, y, m, a literal or a call");
    return argument;
  }

  Relation relation() {
    if (take("<-")) return Relation::kOwes;
    if (take("~")) return Relation::kAnswers;
    if (take("=")) return Relation::kSame;
    fail("two calls are joined by =, ~ or <-");
  }

  DTypeSet dtypes() {
    skip_blanks();
    if (at_ == line_.size()) return kElementwise;
    if (!take("for ")) fail("an identity ends here, or with 'for' and categories");
    DTypeSet set;
    for (std::string_view word = name(); !word.empty(); word = name()) set = set | of(word);
    if (set.empty() || at_ != line_.size()) fail("'for' needs categories");
    return set & kElementwise;
  }

  DTypeSet of(std::string_view word) const {
    std::vector<std::string_view> words;
    for (const Word& known : kCategories) {
      if (known.name == word)
        return dtypes_where([&](const DTypeInfo& row) { return row.category == known.category; });
      words.push_back(known.name);
    }
    fail("unknown category '" + std::string(word) + "'" + did_you_mean(word, words) +
         " (bool, integral, floating, complex)");
  }

  std::string_view line_;
  std::string place_;
  std::size_t at_ = 0;
};

}  // namespace

bool Expression::uses(std::string_view variable) const {
  return std::any_of(arguments.begin(), arguments.end(), [&](const Argument& argument) {
    return argument.nested.empty() ? argument.text == variable
                                   : argument.nested.front().uses(variable);
  });
}

std::vector<Identity> parse_identities(std::string_view text, std::string_view file_name) {
  std::vector<Identity> identities;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    identities.push_back(
        IdentityParser(line, std::string(file_name) + ":" + std::to_string(number)).parse());
  }
  return identities;
}

const std::vector<Identity>& identities() {
  static const std::vector<Identity> kAll =
      parse_identities(kIdentities, "cases/laws/identities.txt");
  return kAll;
}

}  // namespace upcast
