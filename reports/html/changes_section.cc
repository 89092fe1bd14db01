#include "reports/html/changes_section.h"

#include <algorithm>
#include <array>
#include <set>

#include "reports/html/markup.h"

namespace upcast::reports {
namespace {

/// How many schemas the table shows. Further ones are only counted.
constexpr std::size_t kMaxSchemas = 60;

struct ChangeLook {
  Change change;
  const char* css;  // CSS class of the change's mark
  const char* glyph;
  const char* meaning;
};

/// How the page shows each kind of change, changes for the worse first. None has a verdict's colour
/// or shape. Unchanged cases, and added or newly judged ones without a fault, have no table.
constexpr std::array<ChangeLook, kChangeCount> kLooks{
    {{Change::kBroken, "worse", "↓", "fails in the new run only, or a side now dies on it"},
     {Change::kNoLongerJudged, "worse", "↓", "was judged in the earlier run only"},
     {Change::kAddedFailing, "worse", "↓", "fails, and was not in the earlier run"},
     {Change::kFixed, "better", "↑", "failed in the earlier run only"},
     {Change::kNewlyJudged, "better", "↑", "was not judged in the earlier run, and passes now"},
     {Change::kChanged, "changed", "↔", "the answer of a side or the verdict changed"},
     {Change::kStillFailing, "changed", "=", "fails in both runs, with the same answers"},
     {Change::kRemoved, "changed", "−", "in the earlier run only"},
     {Change::kAdded, "changed", "+", "in the new run only"},
     {Change::kSame, "changed", "=", "fails in neither run, and the answers are the same"}}};

std::string chip(const ChangeLook& look) {
  return fmt::format(
      "<span class=\"chip change-{}\"><span aria-hidden=\"true\">{}</span> {}</span>", look.css,
      look.glyph, change_name(look.change));
}

std::string sentence(const RunDiff& diff) {
  const int64_t worse = diff.worse();
  const int64_t fixed = diff.count(Change::kFixed);
  return fmt::format("{} since the baseline, {} fixed.{}",
                     worse == 0
                         ? std::string("Nothing got worse")
                         : grouped(worse) + (worse == 1 ? " case got worse" : " cases got worse"),
                     fixed == 0 ? std::string("none") : grouped(fixed),
                     diff.complete ? "" : " The new run is incomplete.");
}

std::string counts_table(const RunDiff& diff) {
  std::string out = table_start("changes", "How many cases changed, and how") +
                    "<thead><tr><th "
                    "scope=\"col\">change</th><th scope=\"col\" "
                    "class=\"num\">cases</th><th scope=\"col\">meaning</th></tr></thead><tbody>\n";
  for (const ChangeLook& look : kLooks)
    add(out, "<tr><td>{}</td><td class=\"num\">{}</td><td>{}</td></tr>\n", chip(look),
        grouped(diff.count(look.change)), look.meaning);
  return out + "</tbody></table></div>\n";
}

/// A table of the schemas with a change. Those that got worse come first.
std::string schemas_table(const RunDiff& diff) {
  using Row = std::pair<std::string, ChangeCounts>;
  std::vector<Row> rows(diff.by_schema.begin(), diff.by_schema.end());
  const auto of = [](const Row& row, Change change) {
    return row.second[static_cast<std::size_t>(change)];
  };
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return worse_of(a.second) > worse_of(b.second);
  });
  std::string out = "<h2>By schema</h2>" + table_start("", "Changes by schema") +
                    "<thead><tr><th "
                    "scope=\"col\">schema</th>";
  for (const ChangeLook& look : kLooks)
    if (look.change != Change::kSame)
      add(out, "<th scope=\"col\" class=\"num\">{}</th>", change_name(look.change));
  out += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxSchemas); ++i) {
    add(out, "<tr><th scope=\"row\"><code>{}</code></th>", escaped(rows[i].first));
    for (const ChangeLook& look : kLooks) {
      if (look.change == Change::kSame) continue;
      const int64_t count = of(rows[i], look.change);
      add(out, "<td class=\"num\">{}</td>", count == 0 ? std::string("·") : grouped(count));
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (rows.size() > kMaxSchemas)
    add(out, "<p class=\"more\">and {} more schemas</p>\n", rows.size() - kMaxSchemas);
  return out;
}

std::string side_cell(std::string_view label, const std::string& verdict,
                      const std::string& subject, const std::string& oracle) {
  if (verdict.empty()) return fmt::format("<td data-label=\"{}\">not in this run</td>", label);
  return fmt::format(
      "<td data-label=\"{}\">{}<small><code>{}</code></small><small>oracle <code>{}</code></small>"
      "</td>",
      label, escaped(verdict), escaped(subject), escaped(oracle));
}

std::string cases_table(const RunDiff& diff, const ChangeLook& look, const Summary& summary) {
  std::string rows;
  int64_t shown = 0;
  for (const DiffRow& row : diff.rows) {
    if (row.change != look.change) continue;
    ++shown;
    add(rows, "<tr><td data-label=\"case\">{}</td>{}{}</tr>\n",
        line_cell(row.line, row.new_case, summary, 0),
        side_cell("before", row.old_verdict, row.old_subject, row.old_oracle),
        side_cell("after", row.new_verdict, row.new_subject, row.new_oracle));
  }
  if (shown == 0) return "";
  std::string out = fmt::format(
      "<h2>{} <small>{}, {}</small></h2>{}"
      "<thead><tr><th scope=\"col\">case</th><th scope=\"col\">before</th><th scope=\"col\">"
      "after</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
      chip(look), grouped(diff.count(look.change)), look.meaning,
      table_start("stack", fmt::format("Cases: {}", change_name(look.change))), rows);
  if (shown < diff.count(look.change))
    add(out, "<p class=\"more\">and {} more: <code>upcast diff --json</code> lists them</p>\n",
        grouped(diff.count(look.change) - shown));
  return out;
}

/// A table of the settings and versions in which the two runs differ.
std::string settings_table(const Summary& before, const Summary& after) {
  std::string rows;
  const auto row = [&rows](const std::string& key, const std::string& a, const std::string& b) {
    if (a != b)
      add(rows, "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n", escaped(key),
          escaped(a), escaped(b));
  };
  row("subject", before.subject, after.subject);
  row("oracle", before.oracle, after.oracle);
  row("cases", before.source, after.source);
  row("upcast", before.upcast_version, after.upcast_version);
  std::set<std::string> keys;
  for (const auto* environment : {&before.environment, &after.environment})
    for (const auto& [key, value] : *environment) keys.insert(key);
  const auto value_of = [](const Summary& summary, const std::string& key) {
    const auto found = summary.environment.find(key);
    return found == summary.environment.end() ? std::string() : found->second;
  };
  for (const std::string& key : keys) row(key, value_of(before, key), value_of(after, key));
  if (rows.empty()) return "<p class=\"lead\">Both runs have the same sides and versions.</p>\n";
  return table_start("", "Settings of the two runs") +
         "<thead><tr><th scope=\"col\">what "
         "changed</th><th scope=\"col\">"
         "before</th><th scope=\"col\">after</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

}  // namespace

std::string changes_summary(const Changes& changes) {
  std::string out = fmt::format("<h2>New since the baseline</h2><p>{} ", sentence(changes.diff));
  for (const ChangeLook& look : kLooks) {
    const int64_t count = changes.diff.count(look.change);
    if (count > 0 && look.change != Change::kSame)
      add(out, "<span class=\"tally-of\">{} {}</span> ", chip(look), grouped(count));
  }
  return out + "</p><p class=\"more\"><a href=\"#changes\">All changes</a></p>\n";
}

std::string changes_section(const std::optional<Changes>& changes, const RunData& after) {
  if (!changes) return "";
  std::string out = fmt::format(
      "<h1>{}</h1><p class=\"lead\">{} ({}), compared with an earlier run, {} ({}). Cases are "
      "matched by "
      "their lines.</p>\n",
      sentence(changes->diff), escaped(after.summary.title()), escaped(after.summary.source),
      escaped(changes->before.title()), escaped(changes->before.source));
  out += settings_table(changes->before, after.summary);
  out += counts_table(changes->diff);
  for (const ChangeLook& look : kLooks) out += cases_table(changes->diff, look, after.summary);
  return out + (changes->diff.by_schema.empty() ? "" : schemas_table(changes->diff));
}

}  // namespace upcast::reports
