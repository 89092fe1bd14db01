#include "cases/laws/broken_laws.h"

#include <algorithm>
#include <array>
#include <set>

#include "cases/date.h"
#include "cases/notation.h"
#include "cases/operand_pattern.h"
#include "cases/read_toml.h"
#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {

/// The text of cases/laws/broken_laws.toml, which CMake embeds.
extern const char kBrokenLaws[];

namespace {

constexpr std::array<std::string_view, 13> kBrokenKeys{
    "id",       "law",    "kind",  "select", "common", "witnesses", "class",
    "libtorch", "reason", "found", "link",   "case",   "witness"};
constexpr std::array<std::string_view, 4> kBrokenKinds{"refusal", "dtype", "shape", "value"};
constexpr std::array<std::string_view, 3> kBrokenClasses{"bug", "by_design", "ambiguous"};
constexpr std::string_view kOwnPath = "path: ";

/// Reads one [[broken]] table. A fault names the file and the line.
class BrokenLawReader {
 public:
  BrokenLawReader(const toml::table& table, const std::string& file) : table_(table), file_(file) {
    for (const auto& [key, value] : table_)
      if (std::find(kBrokenKeys.begin(), kBrokenKeys.end(), key.str()) == kBrokenKeys.end())
        fail("unknown key '" + std::string(key.str()) + "'" + did_you_mean(key.str(), kBrokenKeys));
  }

  BrokenLaw read() const {
    BrokenLaw broken;
    broken.id = text("id");
    for (const std::string& law : texts("law")) broken.laws.push_back(parse_law(law));
    for (const std::string& kind : texts("kind"))
      broken.kinds.push_back(one_of("kind", kind, kBrokenKinds));
    broken.selector = selector("select");
    if (table_.contains("common")) broken.common = dtypes("common");
    if (table_.contains("witnesses")) broken.witnesses = selector("witnesses");
    broken.broken_class = one_of("class", text("class"), kBrokenClasses);
    broken.versions = text("libtorch");
    broken.reason = text("reason");
    broken.found = text("found");
    if (!parse_date(broken.found)) fail("'found' is a day such as \"2026-11-22\"");
    if (table_.contains("link")) broken.link = text("link");
    if (broken.broken_class == "by_design" && broken.link.empty())
      fail("an entry of class by_design needs a link to where PyTorch says so");
    broken.case_line = text("case");
    broken.witness = text("witness");
    if (!broken.witness.starts_with(kOwnPath)) fail("'witness' is \"path: CALL\"");
    broken.witness.erase(0, kOwnPath.size());
    if (!broken.names(broken.laws.front(), broken.kinds.front(), parse_case(broken.case_line),
                      parse_case(broken.witness)))
      fail("'" + broken.id + "' does not name its own case and witness");
    return broken;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(file_ + ":" + std::to_string(table_.source().begin.line) + ": " + what);
  }

 private:
  std::vector<std::string> texts(std::string_view key) const {
    const toml::node* found = table_.get(key);
    if (found == nullptr) fail("a broken law needs '" + std::string(key) + "'");
    std::vector<std::string> texts;
    if (const toml::array* list = found->as_array())
      for (const toml::node& item : *list) texts.push_back(item.value_or(std::string()));
    else
      texts.push_back(found->value_or(std::string()));
    for (const std::string& text : texts)
      if (text.empty()) fail("'" + std::string(key) + "' is a text that is not empty");
    if (texts.empty()) fail("'" + std::string(key) + "' holds nothing");
    return texts;
  }
  std::string text(std::string_view key) const { return texts(key).front(); }

  std::string one_of(std::string_view key, const std::string& value,
                     std::span<const std::string_view> words) const {
    if (std::find(words.begin(), words.end(), value) == words.end())
      fail("unknown " + std::string(key) + " '" + value + "'" + did_you_mean(value, words));
    return value;
  }

  DTypeSet dtypes(std::string_view key) const {
    const std::string words = text(key);
    TextCursor cursor(words);
    try {
      return parse_dtype_set(cursor);
    } catch (const SyntaxFault& fault) {
      fail(std::string(key) + ": " + fault.message);
    }
  }

  std::shared_ptr<const Selector> selector(std::string_view key) const {
    Selector selector;
    for (const std::string& alternative : texts(key)) try {
        selector.add(alternative);
      } catch (const UsageError& error) {
        fail(std::string(key) + ": '" + alternative + "': " + error.what());
      }
    return std::make_shared<const Selector>(std::move(selector));
  }

  const toml::table& table_;
  const std::string& file_;
};

std::vector<BrokenLaw> read_broken_laws(const toml::table& root, const std::string& file) {
  std::vector<BrokenLaw> all;
  std::set<std::string> ids;
  for (const auto& [key, value] : root) {
    const toml::array* tables = value.as_array();
    if (key.str() != "broken" || tables == nullptr)
      throw UsageError(file + ": unknown key '" + std::string(key.str()) +
                       "'; the file holds [[broken]] tables");
    for (const toml::node& node : *tables) {
      if (!node.is_table()) throw UsageError(file + ": a broken law is a table");
      const BrokenLawReader reader(*node.as_table(), file);
      all.push_back(reader.read());
      if (!ids.insert(all.back().id).second)
        reader.fail("the id '" + all.back().id + "' is used twice");
    }
  }
  return all;
}

}  // namespace

bool BrokenLaw::has_common(const Case& call) const {
  const std::optional<DType> dtype = common_dtype_of(call);
  return dtype && common->contains(*dtype);
}

bool BrokenLaw::names(Law law, std::string_view kind, const Case& call,
                      const Case& contradiction) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end() &&
         std::find(laws.begin(), laws.end(), law) != laws.end() && selector->matches(call) &&
         (!common || has_common(call)) &&
         (witnesses == nullptr || witnesses->matches(contradiction));
}

std::vector<BrokenLaw> parse_broken_laws(std::string_view text, std::string_view file_name) {
  return read_broken_laws(read_toml(text, file_name), std::string(file_name));
}

const std::vector<BrokenLaw>& broken_laws() {
  static const std::vector<BrokenLaw> kAll =
      parse_broken_laws(kBrokenLaws, "cases/laws/broken_laws.toml");
  return kAll;
}

}  // namespace upcast
