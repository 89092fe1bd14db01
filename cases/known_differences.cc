#include "cases/known_differences.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "cases/date.h"
#include "cases/notation.h"
#include "cases/read_toml.h"
#include "cases/suggest.h"
#include "cases/text_file.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

constexpr std::array<std::string_view, 25> kKeys{
    "id",        "select",   "kind",    "oracle",   "subject", "answer",  "class",
    "libtorch",  "reason",   "found",   "link",     "case",    "truth",   "ours_ulp",
    "wrong_ulp", "no_truth", "python",  "both_off", "witness", "general", "also",
    "place",     "mend",     "related", "cause"};
constexpr std::array<std::string_view, 10> kKinds{"dtype",   "shape",  "strides", "refusal",
                                                  "accepts", "value",  "alias",   "nondeterminism",
                                                  "crash",   "timeout"};
constexpr std::array<std::string_view, 4> kClasses{"bug", "by_design", "host_defined", "ambiguous"};

/// The least error, in ulp, at which a result may be called a bug. A result with a smaller error is
/// mostly the nearer of the two neighbours of the exact value.
constexpr double kLeastWrong = 0.75;

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

/// Reads one [[difference]] table. A fault names the file and the line.
class EntryReader {
 public:
  EntryReader(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {
    for (const auto& [key, value] : table_)
      if (std::find(kKeys.begin(), kKeys.end(), key.str()) == kKeys.end())
        fail(value, "unknown key '" + std::string(key.str()) + "'" +
                        did_you_mean(key.str(), kKeys) + " (" + join(kKeys) + ")");
  }

  KnownDifference read() const {
    KnownDifference entry;
    entry.id = text("id");
    entry.kinds = several_of("kind", kKinds);
    if (table_.contains("subject")) entry.subject = text("subject");
    if (table_.contains("also")) entry.also = further_subjects();
    entry.wrong_answer = text(entry.subject.empty() ? "oracle" : "answer");
    entry.difference_class = one_of("class", kClasses);
    entry.versions = text("libtorch");
    entry.reason = text("reason");
    entry.found = date("found");
    entry.cause = table_.contains("cause") ? text("cause") : entry.id;
    if (table_.contains("link")) entry.links = links("link");
    if (table_.contains("python")) entry.python = text("python");
    entry.selector = selector("select", &entry.selector_text);
    if (table_.contains("both_off")) entry.both_off = selector("both_off", nullptr);
    if (table_.contains("related")) entry.related = links("related");
    read_mend(entry);
    if (table_.contains("general")) entry.is_general = is_true("general");
    entry.case_line = text("case");
    check_case(entry);
    entry.truth = text("truth");
    read_witnesses(entry);
    read_errors(entry);
    return entry;
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    throw UsageError(file_ + ":" + std::to_string(node.source().begin.line) + ": " + what);
  }
  const toml::node& node(std::string_view key) const {
    const toml::node* found = table_.get(key);
    if (found == nullptr) fail(table_, "a difference needs '" + std::string(key) + "'");
    return *found;
  }

 private:
  std::string text(const toml::node& value, std::string_view key) const {
    const auto* found = value.as_string();
    if (found == nullptr || found->get().empty())
      fail(value, "'" + std::string(key) + "' is a text that is not empty");
    return found->get();
  }
  std::string text(std::string_view key) const { return text(node(key), key); }
  std::vector<std::string> text_or_list(std::string_view key) const {
    const toml::node& value = node(key);
    const toml::array* list = value.as_array();
    if (list == nullptr) return {text(value, key)};
    std::vector<std::string> texts;
    for (const toml::node& item : *list) texts.push_back(text(item, key));
    return texts;
  }

  bool is_true(std::string_view key) const {
    const auto found = node(key).value_exact<bool>();
    if (!found || !*found) fail(node(key), "'" + std::string(key) + "' is true, or left out");
    return true;
  }

  std::vector<std::string> further_subjects() const {
    if (!table_.contains("subject")) fail(node("also"), "'also' adds to 'subject'");
    return text_or_list("also");
  }

  std::string date(std::string_view key) const {
    std::string day = text(key);
    if (!parse_date(day))
      fail(node(key), "'" + std::string(key) + "' is a day such as \"2026-11-22\"");
    return day;
  }

  /// Reads one link or a list of links. Blanks and quotes are faults: the report makes anchors of
  /// links, and the store keeps them in one text, separated by blanks.
  std::vector<std::string> links(std::string_view key) const {
    std::vector<std::string> links = text_or_list(key);
    for (const std::string& link : links)
      if (!link.starts_with("https://") || link.find_first_of(" \t\r\n\"'<>") != std::string::npos)
        fail(node(key), "'" + link + "' is not an https address");
    return links;
  }

  void read_mend(KnownDifference& entry) const {
    if (table_.contains("place")) entry.place = text("place");
    if (table_.contains("mend")) entry.mend = text("mend");
    if (entry.place.empty() != entry.mend.empty())
      fail(table_,
           "'place' (where the cause is) and 'mend' (what would fix it) are given together");
  }

  double error(std::string_view key) const {
    const auto found = node(key).value<double>();
    if (!found || !(*found >= 0)) fail(node(key), "'" + std::string(key) + "' is an error in ulp");
    return *found;
  }

  void read_errors(KnownDifference& entry) const {
    const bool has_truth = !table_.contains("no_truth");
    if (entry.kinds.front() != "value" || entry.difference_class != "bug") {
      for (const std::string_view key : {"ours_ulp", "wrong_ulp", "no_truth"})
        if (table_.contains(key))
          fail(node(key), "'" + std::string(key) + "' is for bugs of the kind value");
      return;
    }
    if (!has_truth) {
      entry.no_truth = text("no_truth");
      for (const std::string_view key : {"ours_ulp", "wrong_ulp"})
        if (table_.contains(key)) fail(node(key), "without a truth there are no errors in ulp");
      return;
    }
    entry.ours_ulp = error("ours_ulp");
    entry.wrong_ulp = error("wrong_ulp");
    if (entry.wrong_ulp < kLeastWrong && entry.witnesses.size() == 1)
      fail(node("wrong_ulp"), "an error this small is a rounding, which is not a bug");
  }

  std::vector<std::string> several_of(std::string_view key,
                                      std::span<const std::string_view> words) const {
    std::vector<std::string> values = text_or_list(key);
    for (const std::string& value : values)
      if (std::find(words.begin(), words.end(), value) == words.end())
        fail(node(key), "unknown " + std::string(key) + " '" + value + "'" +
                            did_you_mean(value, words) + " (" + join(words) + ")");
    if (values.empty()) fail(node(key), "'" + std::string(key) + "' is empty");
    return values;
  }
  std::string one_of(std::string_view key, std::span<const std::string_view> words) const {
    text(key);  // one word: a list is a fault
    return several_of(key, words).front();
  }

  void read_witnesses(KnownDifference& entry) const {
    const bool is_bug = entry.difference_class == "bug";
    if (!table_.contains("witness")) {
      if (is_bug)
        fail(table_,
             "a bug needs 'witness': truth, path: CALL, documentation: https://... WORDS, "
             "or majority: SIDES; without one its class is ambiguous");
      return;
    }
    if (!is_bug && entry.difference_class != "by_design")
      fail(node("witness"), "'witness' is for the classes bug and by_design");
    for (const std::string& text : text_or_list("witness"))
      entry.witnesses.push_back(witness(text));
    if (is_bug && entry.kinds.front() == "value" &&
        entry.has_witness(DeclaredWitness::Kind::kTruth) == table_.contains("no_truth"))
      fail(node("witness"), "a bug in values has 'truth' among its witnesses, or 'no_truth'");
  }

  /// Reads a witness such as "path: add(float32[1], 2) on libtorch:cpu".
  DeclaredWitness witness(const std::string& text) const {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string kind = text.substr(0, colon);
    const auto* found = std::find(kWitnessNames.begin(), kWitnessNames.end(), kind);
    if (found == kWitnessNames.end())
      fail(node("witness"), "unknown witness '" + kind + "'" + did_you_mean(kind, kWitnessNames) +
                                " (" + join(kWitnessNames) + ")");
    DeclaredWitness witness{.kind =
                                static_cast<DeclaredWitness::Kind>(found - kWitnessNames.begin())};
    const std::size_t start = text.find_first_not_of(' ', colon + 1);
    if (start != std::string::npos) witness.text = text.substr(start);
    if (witness.text.empty() != (witness.kind == DeclaredWitness::Kind::kTruth))
      fail(node("witness"),
           "'" + text + "': truth is written without a text, every other kind with one");
    if (witness.kind == DeclaredWitness::Kind::kDocumentation &&
        (!witness.text.starts_with("https://") || witness.text.find(' ') == std::string::npos))
      fail(node("witness"), "'" + text + "': the page's https address, then its words");
    if (witness.kind == DeclaredWitness::Kind::kPath) read_path(witness);
    return witness;
  }

  void read_path(DeclaredWitness& path) const {
    constexpr std::string_view kOn = " on ";
    if (const std::size_t on = path.text.rfind(kOn); on != std::string::npos) {
      path.side = path.text.substr(on + kOn.size());
      path.text.resize(on);
    }
    try {
      parse_case(path.text);
    } catch (const UsageError& error) {
      fail(node("witness"), std::string("path: ") + error.what());
    }
  }

  /// Reads one selector, or a list of alternatives. If `joined` is not null, appends the
  /// alternatives to it with " | " between them.
  std::shared_ptr<const Selector> selector(std::string_view key, std::string* joined) const {
    const toml::node& select = node(key);
    const std::string name(key);
    const std::vector<std::string> texts = text_or_list(key);
    if (texts.empty()) fail(select, "'" + name + "' has no selector");
    Selector selector;
    for (const std::string& alternative : texts) {
      if (joined != nullptr) *joined += (joined->empty() ? "" : " | ") + alternative;
      try {
        selector.add(alternative);
      } catch (const UsageError& error) {
        fail(select, name + ": '" + alternative + "': " + error.what());
      }
    }
    return std::make_shared<const Selector>(std::move(selector));
  }

  void check_case(const KnownDifference& entry) const {
    try {
      if (entry.selector->matches(parse_case(entry.case_line))) return;
    } catch (const UsageError& error) {
      fail(node("case"), std::string("case: ") + error.what());
    }
    fail(node("case"), "the case of '" + entry.id + "' is not selected by its selector");
  }

  const toml::table& table_;
  std::string file_;
};

/// Checks that each cause other than an entry's own id is shared by several entries, and is no id.
void check_causes(const std::vector<KnownDifference>& entries, const std::string& file) {
  std::map<std::string_view, int> with_cause;
  std::set<std::string_view> ids;
  for (const KnownDifference& entry : entries) {
    ++with_cause[entry.cause];
    ids.insert(entry.id);
  }
  for (const KnownDifference& entry : entries) {
    if (entry.cause == entry.id) continue;
    const std::string where = file + ": the cause '" + entry.cause + "' of " + entry.id;
    if (ids.contains(entry.cause)) throw UsageError(where + " is the id of an entry");
    if (with_cause[entry.cause] == 1)
      throw UsageError(where + " is not shared with another entry; leave it out");
  }
}

std::vector<KnownDifference> read_entries(const toml::table& root, const std::string& file) {
  std::vector<KnownDifference> entries;
  std::set<std::string> ids;
  for (const auto& [key, value] : root) {
    const toml::array* tables = value.as_array();
    if (key.str() != "difference" || tables == nullptr)
      throw UsageError(file + ":" + std::to_string(value.source().begin.line) + ": unknown key '" +
                       std::string(key.str()) + "'; the file holds [[difference]] tables");
    for (const toml::node& node : *tables) {
      if (!node.is_table())
        throw UsageError(file + ":" + std::to_string(node.source().begin.line) +
                         ": a difference is a table");
      const EntryReader reader(*node.as_table(), file);
      entries.push_back(reader.read());
      if (!ids.insert(entries.back().id).second)
        reader.fail(reader.node("id"), "the id '" + entries.back().id + "' is used twice");
    }
  }
  check_causes(entries, file);
  return entries;
}

}  // namespace

bool KnownDifference::has_witness(DeclaredWitness::Kind kind) const {
  return std::any_of(witnesses.begin(), witnesses.end(),
                     [kind](const DeclaredWitness& each) { return each.kind == kind; });
}

std::string KnownDifference::witness_text() const {
  std::string text;
  for (const DeclaredWitness& each : witnesses) {
    text += text.empty() ? "" : "; ";
    text += name(each.kind);
    if (!each.text.empty()) text += ": " + each.text;
    if (!each.side.empty()) text += " on " + each.side;
  }
  return text;
}

std::vector<KnownDifference> parse_known_differences(std::string_view text,
                                                     std::string_view file_name) {
  return read_entries(read_toml(text, file_name), std::string(file_name));
}

std::string without_finder(const std::string& reason) {
  return reason.substr(0, reason.find(". Found by "));
}

std::vector<KnownDifference> load_known_differences(const std::string& path) {
  return parse_known_differences(read_text_file(path), path);
}

std::vector<const KnownDifference*> find_all(const std::vector<KnownDifference>& entries,
                                             const Case& c, std::string_view kind) {
  std::vector<const KnownDifference*> found;
  for (const KnownDifference& entry : entries)
    if (entry.is_of(kind) && entry.selector->matches(c)) found.push_back(&entry);
  return found;
}

const KnownDifference* find_first(const std::vector<KnownDifference>& entries, const Case& c,
                                  std::string_view kind) {
  for (const KnownDifference& entry : entries)
    if (entry.is_of(kind) && entry.selector->matches(c)) return &entry;
  return nullptr;
}

}  // namespace upcast
