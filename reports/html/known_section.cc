#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "cases/counted.h"
#include "reports/html/markup.h"
#include "reports/html/static_page.h"
#include "reports/html/upstream.h"
#include "reports/outputs/finding_words.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// How many ops are named under a known difference. Further ones are only counted.
constexpr size_t kMaxKnownOps = 12;

struct ClassMeaning {
  std::string_view name, sentence;
};

/// The classes of known differences, then the classes of differences between rule books and
/// libraries, with their meanings.
constexpr std::array<ClassMeaning, 10> kMeanings{
    {{"bug",
      "The oracle contradicts IEEE 754, the mathematics, its documentation or its own other path."},
     {"by_design", "Both sides do what they mean to do."},
     {"host_defined", "The answer depends on the machine or compiler."},
     {"ambiguous", "More than one answer can be defended."},
     {"typo", "A misprint of the document."},
     {"contradiction", "The document contradicts itself, or the library of its time."},
     {"changed", "The document was true for an earlier release; the library has changed."},
     {"never", "The document is not true for the release that it names."},
     {"undocumented", "The document does not say what the library does."},
     {"api", "The function form differs from the operator form."}}};

std::string_view class_meaning(std::string_view difference_class) {
  for (const ClassMeaning& each : kMeanings)
    if (each.name == difference_class) return each.sentence;
  return "";
}

constexpr const char* kQuiet = "<span class=\"quiet\">{}</span>";

/// The table cell with an entry's links. "" for a declared difference of a rule book, which has no
/// thread upstream.
std::string upstream_cell(const KnownEntry& entry) {
  const std::string out = links_markup(entry.link);
  if (out.empty() && !entry.found.empty()) return fmt::format(kQuiet, "no upstream thread known");
  return out;
}

/// The table cell with the day on which an entry was found: "2026-11-21 1 day old". The age is that
/// on the day of the run, so that the same store gives the same page.
std::string found_cell(const KnownEntry& entry, const Summary& summary) {
  const std::string age = age_at_run(entry.found, summary.date);
  return escaped(entry.found) + (age.empty() ? "" : " " + fmt::format(kQuiet, age));
}

void add_fact(std::string& out, std::string_view label, const std::string& html) {
  if (!html.empty()) add(out, "<div><dt>{}</dt><dd>{}</dd></div>", label, html);
}

std::string code_or_nothing(const std::string& text) {
  return text.empty() ? "" : fmt::format("<code>{}</code>", escaped(text));
}

/// The id of the element to which `#known/NAME` leads. It differs by run, since several runs may
/// know the same entry.
std::string anchor_of(const KnownEntry& entry, size_t run) {
  return escaped((run == 0 ? "known-" : fmt::format("known-{}-", run)) + entry.name);
}

/// The ops with cases of a known difference, those with the most first: "pow 1,204, add 3". The
/// script makes each a search.
std::string known_places(const RunData& data, const KnownEntry& entry) {
  const auto found = data.known_ops.find(entry.id);
  if (found == data.known_ops.end()) return "";
  std::vector<std::pair<std::string, int64_t>> places(found->second.begin(), found->second.end());
  std::stable_sort(places.begin(), places.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (size_t i = 0; i < std::min(places.size(), kMaxKnownOps); ++i) {
    add(out, "{}<span data-known=\"{}\" data-op=\"{}\">{}</span> <span class=\"quiet\">{}</span>",
        i > 0 ? ", " : "", escaped(entry.name), escaped(places[i].first), escaped(places[i].first),
        grouped(places[i].second));
  }
  if (places.size() > kMaxKnownOps) add(out, " and {} more ops", places.size() - kMaxKnownOps);
  return out;
}

/// A chip that says how many cases a known difference explains, and how many its selector names. In
/// a run of a case list, only the entry's own case counts as named. The script makes the chip a
/// search for the explained cases.
std::string hit_chip(const KnownEntry& entry) {
  if (entry.matched == 0 && entry.hits == 0)
    return "<span class=\"chip\">no case of this run</span>";
  return fmt::format(
      "<span class=\"chip m-{}\"><span aria-hidden=\"true\">{}</span> <span{}>{}</span></span>",
      look_of(VerdictCode::kKnown).css, look_of(VerdictCode::kKnown).glyph,
      entry.hits > 0 ? fmt::format(" data-known=\"{}\"", escaped(entry.name)) : "",
      entry.hits > entry.matched
          ? grouped(entry.hits) + (entry.hits == 1 ? " case" : " cases")
          : fmt::format("{} of {} named cases", grouped(entry.hits), grouped(entry.matched)));
}

/// Adds the first case of a known difference in the run, with a link to its page. Adds the declared
/// case too if that is another.
void add_known_lines(std::string& out, const KnownEntry& entry, const CaseRecord* first,
                     const Summary& summary, size_t run) {
  if (first != nullptr)
    add_fact(out, "first case", line_cell(first->line, first->case_index, summary, run));
  if (!entry.case_line.empty() && (first == nullptr || first->line != entry.case_line))
    add_fact(out, "declared with", line_cell(entry.case_line, -1, summary, run));
}

void add_known_entry(std::string& out, const RunData& data, const KnownEntry& entry,
                     const CaseRecord* first, size_t run) {
  const std::vector<KnownEntry>& all_stale = data.summary.stale;
  const bool stale = std::find(all_stale.begin(), all_stale.end(), entry) != all_stale.end();
  add(out,
      "<details class=\"entry{}\" id=\"{}\" tabindex=\"-1\"><summary><h4>{}</h4> {}{}</summary>"
      "<p>{}</p><dl>",
      stale ? " stale" : "", anchor_of(entry, run), escaped(entry.name), hit_chip(entry),
      stale ? "<span class=\"chip warning\">no longer occurs: delete its row</span>" : "",
      escaped(as_sentence(entry.reason)));
  add_fact(out, "upstream", upstream_cell(entry));
  add_fact(out, "found", found_cell(entry, data.summary));
  add_fact(out, "oracle answers", code_or_nothing(entry.oracle_answer));
  add_fact(out, "kind", escaped(entry.kind));
  add_fact(out, "witness", escaped(entry.witness));
  add_fact(out, "versions", escaped(entry.versions));
  add_fact(out, "selector", code_or_nothing(entry.selector));
  add_fact(out, "where", known_places(data, entry));
  add_known_lines(out, entry, first, data.summary, run);
  out += "</dl></details>\n";
}

/// The classes of a run's known differences, the worst first.
std::vector<std::string> classes_of(const std::vector<KnownEntry>& known) {
  std::vector<std::string> classes{"bug", "ambiguous", "host_defined", "by_design"};
  for (const KnownEntry& entry : known) {
    if (std::find(classes.begin(), classes.end(), entry.difference_class) == classes.end())
      classes.push_back(entry.difference_class);
  }
  return classes;
}

/// The severity of the worst kind of difference that an entry declares; its kinds are a text such
/// as "dtype, value".
int severity_of(const KnownEntry& entry) {
  int worst = 0;
  for (size_t code = 0; code < kVerdictNames.size(); ++code) {
    const auto verdict = static_cast<VerdictCode>(code);
    if (is_failure(verdict) && entry.kind.find(kind_of(verdict)) != std::string::npos)
      worst = std::max(worst, severity(verdict));
  }
  return worst;
}

/// The known differences in a reader's order: first the stale ones, which fail the run, then by the
/// worst kind, then by the most cases.
std::vector<const KnownEntry*> in_order(const Summary& summary) {
  const auto is_stale = [&](const KnownEntry& entry) {
    return std::find(summary.stale.begin(), summary.stale.end(), entry) != summary.stale.end();
  };
  std::vector<const KnownEntry*> entries;
  for (const KnownEntry& entry : summary.known) entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(), [&](const KnownEntry* a, const KnownEntry* b) {
    return std::tuple(!is_stale(*a), -severity_of(*a), -a->hits) <
           std::tuple(!is_stale(*b), -severity_of(*b), -b->hits);
  });
  return entries;
}

/// A list of links to the known differences with a case in the run, in the order of the page.
std::string known_index(const RunData& data, size_t run, const std::vector<std::string>& classes) {
  std::string out;
  for (const std::string& name : classes) {
    std::string links;
    for (const KnownEntry* entry : in_order(data.summary)) {
      if (entry->difference_class != name || entry->hits == 0) continue;
      add(links, "<li><a href=\"#known/{}{}\">{}</a> <span class=\"quiet\">{}</span></li>",
          escaped(url_part(entry->name)), run == 0 ? "" : fmt::format("?run={}", run),
          escaped(entry->name), grouped(entry->hits));
    }
    if (!links.empty()) add(out, "<dt>{}</dt><dd><ul>{}</ul></dd>", escaped(name), links);
  }
  return out.empty() ? "" : "<dl class=\"known-index\" aria-label=\"Index\">" + out + "</dl>";
}

/// Adds the known differences of one class. If `has_case`, those that explain or select a case of
/// the run, stale ones included; else the others.
void add_class(std::string& out, const RunData& data, size_t run, const std::string& name,
               bool has_case) {
  const auto first = first_known_records(data);  // stories.h tells first cases in full
  std::string entries;
  int64_t hits = 0, count = 0, linked = 0;
  for (const KnownEntry* entry : in_order(data.summary)) {
    const bool occurs = entry->hits > 0 || entry->matched > 0;
    if (entry->difference_class != name || occurs != has_case) continue;
    const auto found = first.find(entry->id);
    add_known_entry(entries, data, *entry, found == first.end() ? nullptr : found->second, run);
    hits += entry->hits;
    ++count;
    linked += !entry->link.empty();
  }
  if (count == 0) return;
  add(out,
      "<section class=\"known-class\"><h3>{} <small>{}, {}, {} linked "
      "upstream</small></h3>"
      "<p class=\"lead\">{}</p>\n{}</section>",
      escaped(name), counted(count, "entry", "entries"), counted(hits, "case"), linked,
      class_meaning(name), entries);
}

}  // namespace

std::string known_section(const std::vector<RunData>& runs) {
  std::string out = "<h1>Known differences</h1>";
  for (size_t run = 0; run < runs.size(); ++run) {
    const RunData& data = runs[run];
    out += run_heading(runs, run);
    const std::vector<KnownEntry>& known = data.summary.known;
    if (known.empty()) out += "<p class=\"lead\">None is declared.</p>";
    const std::vector<std::string> classes = classes_of(known);
    out += known_index(data, run, classes);
    for (const std::string& name : classes) add_class(out, data, run, name, true);
    std::string rest;
    for (const std::string& name : classes) add_class(rest, data, run, name, false);
    if (!rest.empty()) out += "<h2>Without a case in this run</h2>" + rest;
  }
  return out;
}

}  // namespace upcast::reports
