#include "reports/html/static_page.h"

#include <algorithm>
#include <array>

#include "oracle/side.h"
#include "oracle/verdict_text.h"
#include "reports/html/markup.h"

namespace upcast::reports {
namespace {

/// Rows of the failures table; the rest is counted, and reached through the map.
constexpr size_t kMaxFailureRows = 300;

struct Mark {
  std::string_view css, glyph;
};

Mark mark_of(VerdictCode verdict) {
  if (verdict == VerdictCode::kCrash) return {"crash", "✱"};
  if (verdict == VerdictCode::kTimeout) return {"timeout", "◔"};
  return {"bad", "✕"};
}

Mark mark_of(Outlook outlook) {
  if (outlook == Outlook::kAsExpected) return {"ok", "✓"};
  if (outlook == Outlook::kUnexpected) return {"bad", "✕"};
  return {"open", "…"};
}

Mark mark_of(const Summary& summary) {
  return summary.covers_too_little() ? Mark{"open", "○"} : mark_of(summary.outlook());
}

/// The verdicts' shares as one bar. A share that is not zero is at least six units of 1000 wide.
std::string share_bar(const Counts& counts) {
  struct Share {
    std::string_view css;
    int64_t cases;
  };
  const std::array<Share, 5> shares{{{"agree", counts.agree},
                                     {"known", counts.known},
                                     {"unjudged", counts.not_judged},
                                     {"bad", counts.unexplained},
                                     {"missing", counts.planned - counts.ran}}};
  std::string svg =
      "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"shares of the verdicts\">";
  double total = 0;
  std::array<double, 5> widths{};
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].cases <= 0) continue;
    widths[i] = std::max(6.0, 1000.0 * static_cast<double>(shares[i].cases) /
                                  static_cast<double>(std::max<int64_t>(1, counts.planned)));
    total += widths[i];
  }
  double x = 0;
  for (size_t i = 0; i < shares.size() && total > 0; ++i) {
    const double width = widths[i] * 1000 / total;
    if (width > 0) {
      add(svg, "<rect class=\"v-{}\" x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"10\"/>",
          shares[i].css, x, std::max(1.0, width - 2));
    }
    x += width;
  }
  return svg + "</svg>";
}

void add_tile(std::string& out, std::string_view css, std::string_view glyph,
              std::string_view label, int64_t number, std::string_view note) {
  add(out,
      "<div class=\"tile\"><dt><span class=\"mark m-{}\" aria-hidden=\"true\">{}</span>{}</dt>"
      "<dd>{}<small>{}</small></dd></div>",
      css, glyph, label, grouped(number), note);
}

std::string share(int64_t part, int64_t whole) {
  return whole == 0 ? "no case"
                    : fmt::format("{:.3f} %",
                                  100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string count_tiles(const Summary& summary) {
  const Counts& counts = summary.counts;
  std::string out = "<dl class=\"tiles\">";
  add_tile(out, "bad", "✕", "unexplained", counts.unexplained,
           fmt::format("crash {}, timeout {}, expectation {}", grouped(counts.crash),
                       grouped(counts.timeout), grouped(counts.expectation)));
  add_tile(
      out, "known", "◆", "known", counts.known,
      fmt::format("in {} of {} declared differences", summary.occurring(), summary.known.size()));
  add_tile(out, "unjudged", "○", "not judged", counts.not_judged,
           share(counts.not_judged, counts.ran));
  add_tile(out, "agree", "✓", "agree", counts.agree,
           fmt::format("{}, {} values judged", share(counts.agree, counts.ran),
                       grouped(counts.values_judged)));
  return out + "</dl>";
}

/// Below the verdict: whose the differences are.
std::string who_is_wrong(const Summary& summary) {
  const std::string sentence = summary.who_is_wrong();
  return sentence.empty() ? "" : fmt::format("<p class=\"who\">{}</p>", escaped(sentence));
}

/// Of how much the verdict speaks.
std::string coverage_line(const Coverage& coverage) {
  const std::string outside = coverage.outside_words();
  return fmt::format("<p class=\"who coverage\">Coverage: {}{}.</p>", coverage.words(),
                     outside.empty() ? "" : "; " + outside);
}

/// Who is right where values differ; "" where nobody asked the truth.
std::string truth_line(const RunData& data) {
  TruthCounts sum;
  for (const OpData& op : data.ops) {
    sum.with_subject += op.truth.with_subject;
    sum.with_oracle += op.truth.with_oracle;
    sum.with_neither += op.truth.with_neither;
    sum.undecided += op.truth.undecided;
  }
  const int64_t decided = sum.with_subject + sum.with_oracle + sum.with_neither;
  if (decided == 0) return "";
  return fmt::format(
      "<p class=\"truth\">Of {} recorded differences in value, the truth is with <b>{}</b> in {}, "
      "with <b>{}</b> in {}, with neither in {}, and undecided in {}.</p>",
      grouped(decided + sum.undecided), escaped(data.summary.subject), grouped(sum.with_subject),
      escaped(data.summary.oracle), grouped(sum.with_oracle), grouped(sum.with_neither),
      grouped(sum.undecided));
}

void add_check(std::string& out, bool holds, const std::string& text) {
  add(out, "<li class=\"{}\"><span class=\"mark m-{}\" aria-hidden=\"true\">{}</span>{}</li>",
      holds ? "holds" : "fails", holds ? "agree" : "bad", holds ? "✓" : "✕", text);
}

/// Why the verdict can be trusted: what would make it worthless is checked, one line each.
std::string completeness(const Summary& summary) {
  const Counts& counts = summary.counts;
  std::string out = "<h2>Completeness</h2><ul class=\"checks\">";
  add_check(
      out, summary.complete && counts.planned > 0 && counts.ran == counts.planned,
      fmt::format("{} of {} planned cases ran", grouped(counts.ran), grouped(counts.planned)));
  add_check(out, counts.judged() > 0,
            fmt::format("{} cases were judged", grouped(counts.judged())));
  add_check(out, counts.values_judged > 0 || !summary.judges_values,
            summary.judges_values
                ? fmt::format("{} values were judged", grouped(counts.values_judged))
                : std::string("dtypes only: these sides answer no values"));
  if (summary.tells_stale()) {
    std::string stale;
    for (const KnownEntry& entry : summary.stale)
      stale += (stale.empty() ? "" : ", ") + escaped(entry.name);
    add_check(out, summary.stale.empty(),
              summary.stale.empty() ? std::string("no known difference has gone stale")
                                    : fmt::format("known, but no longer occurring: {}", stale));
  } else {
    // Neither a check that holds nor one that fails.
    add(out,
        "<li><span class=\"mark m-unjudged\" aria-hidden=\"true\">○</span>whether a known "
        "difference has gone stale, only the whole run can tell{}</li>",
        summary.shards > 1
            ? fmt::format(": {} of its {} shards are here", summary.shards_given, summary.shards)
            : "");
  }
  return out + "</ul>";
}

std::string environment(const Summary& summary) {
  std::string out = "<h2>Environment</h2><table class=\"env\">" +
                    caption_text("Environment of " + summary.title()) + "<tbody>";
  const auto row = [&out](std::string_view key, std::string_view value) {
    add(out, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escaped(key), escaped(value));
  };
  row("subject", summary.subject);
  row("oracle", summary.oracle);
  if (summary.judges_values) {
    row("subject is held to", words(parse_side(summary.subject).bounds));
    row("oracle is held to", words(parse_side(summary.oracle).bounds));
  }
  row("cases", summary.source);
  row("upcast", summary.upcast_version);
  for (const auto& [key, value] : summary.environment) row(key, value);
  if (!summary.date.empty()) row("date", summary.date);
  row("time", fmt::format("{:.1f} s, {} cases/s", summary.seconds,
                          grouped(static_cast<int64_t>(summary.cases_per_second()))));
  row("plan", summary.plan_digest);
  return out + "</tbody></table>";
}

/// What to do with a case that nothing explains.
std::string finding_note(const CaseRecord& record, const Summary& summary) {
  if (record.signature.empty() || record.verdict.code == VerdictCode::kExpectation) return "";
  return fmt::format(
      "<small>{}</small><small><code>{}</code></small><small><code>{} --cpp repro.cc --python "
      "repro.py</code></small>",
      escaped(record.signature), escaped(command_text("minimize", record.line, summary)),
      escaped(command_text("repro", record.line, summary)));
}

void add_failure_row(std::string& out, const FailureGroup& group, const Summary& summary,
                     size_t run) {
  const Mark mark = mark_of(group.verdict);
  const std::string told = sentence(group.record.verdict);
  const std::string subject =
      group.record.subject.empty() ? answer_name(group.subject) : group.record.subject;
  const std::string oracle =
      group.record.oracle.empty() ? answer_name(group.oracle) : group.record.oracle;
  add(out,
      "<tr><td data-label=\"verdict\"><span class=\"chip m-{}\"><span "
      "aria-hidden=\"true\">{}</span> "
      "{}</span></td>",
      mark.css, mark.glyph, name(group.verdict));
  add(out, "<td data-label=\"op\"><b>{}</b><small>{}</small></td>", escaped(group.schema),
      escaped(group.form == "in_place" ? "in-place" : group.form));
  add(out, "<td class=\"num\" data-label=\"cases\">{}</td>", grouped(group.count));
  add(out, "<td data-label=\"{}\"><code>{}</code></td>", escaped(summary.subject),
      escaped(subject));
  add(out, "<td data-label=\"{}\"><code>{}</code></td>", escaped(summary.oracle), escaped(oracle));
  add(out, "<td data-label=\"first case\">{}{}</td></tr>\n",
      line_cell(group.line, group.first_case, summary, run),
      (told.empty() ? "" : fmt::format("<small>{}</small>", escaped(told))) +
          finding_note(group.record, summary));
}

std::string failure_table(const RunData& data, size_t run, size_t limit) {
  const Summary& summary = data.summary;
  std::string out = table_start("stack", "Unexplained differences of " + summary.title());
  add(out,
      "<thead><tr><th scope=\"col\">verdict</th>"
      "<th scope=\"col\">op</th><th scope=\"col\" class=\"num\">cases</th>"
      "<th scope=\"col\">{} says</th><th scope=\"col\">{} says</th>"
      "<th scope=\"col\">first case</th></tr></thead><tbody>\n",
      escaped(summary.subject), escaped(summary.oracle));
  const size_t shown = std::min(limit, data.failures.size());
  for (size_t i = 0; i < shown; ++i) add_failure_row(out, data.failures[i], summary, run);
  out += "</tbody></table></div>";
  if (shown < data.failures.size()) {
    int64_t cases = 0;
    for (size_t i = shown; i < data.failures.size(); ++i) cases += data.failures[i].count;
    add(out, "<p class=\"more\">and {} more kinds of difference ({} cases)</p>",
        grouped(static_cast<int64_t>(data.failures.size() - shown)), grouped(cases));
  }
  return out;
}

std::string not_judged_table(const RunData& data, size_t run) {
  if (data.not_judged.empty()) return "";
  std::string out =
      "<h2>Not judged</h2><p class=\"lead\">Cases that have no right answer to compare with, and "
      "the reason of the first recorded one.</p>" +
      table_start("stack", "Cases of " + data.summary.title() + " that are not judged") +
      "<thead><tr><th scope=\"col\">op</th><th scope=\"col\" class=\"num\">cases</th>"
      "<th scope=\"col\">reason</th><th scope=\"col\">first case</th></tr></thead><tbody>\n";
  for (const NotJudgedGroup& group : data.not_judged) {
    add(out,
        "<tr><td data-label=\"op\"><b>{}</b></td><td class=\"num\" data-label=\"cases\">{}</td>"
        "<td data-label=\"reason\">{}</td><td data-label=\"first case\">{}</td></tr>\n",
        escaped(group.op), grouped(group.count), escaped(group.reason),
        group.line.empty() ? std::string() : line_cell(group.line, -1, data.summary, run));
  }
  return out + "</tbody></table></div>";
}

}  // namespace

std::string page_title(const std::vector<RunData>& runs) {
  const Summary& first = runs.front().summary;
  return fmt::format("{}{} · upcast", first.title(),
                     runs.size() > 1 ? fmt::format(" and {} more", runs.size() - 1) : "");
}

std::string summary_section(const std::vector<RunData>& runs, const std::string& news) {
  std::string out;
  for (size_t run = 0; run < runs.size(); ++run) {
    const RunData& data = runs[run];
    const Mark mark = mark_of(data.summary);
    add(out,
        "<div class=\"verdict is-{}\"><span class=\"seal\" aria-hidden=\"true\">{}</span><div>"
        "<p class=\"eyebrow\">{} · {}</p><h1>{}</h1>{}{}</div></div>",
        mark.css, mark.glyph, escaped(data.summary.title()), escaped(data.summary.source),
        escaped(data.summary.verdict_sentence()), who_is_wrong(data.summary),
        coverage_line(data.summary.coverage));
    out += share_bar(data.summary.counts);
    out += count_tiles(data.summary);
    out += truth_line(data);
    if (run == 0) out += news;
    if (!data.failures.empty()) {
      out += "<h2>Unexplained</h2>";
      out += failure_table(data, run, 8);
      out += "<p class=\"more\"><a href=\"#failures\">All differences</a></p>";
    }
    add(out, "<div class=\"columns\"><div>{}</div><div>{}</div></div>", completeness(data.summary),
        environment(data.summary));
    add(out, "<div class=\"atlas-slot\" data-run=\"{}\"></div>", run);
  }
  return out;
}

std::string failures_section(const std::vector<RunData>& runs) {
  std::string out = "<h1>Differences</h1>";
  for (size_t run = 0; run < runs.size(); ++run) {
    const RunData& data = runs[run];
    out += run_heading(runs, run);
    if (data.failures.empty()) {
      add(out, "<p class=\"lead\">No unexplained difference in {}{}.</p>",
          data.summary.judged_words(), data.summary.open_words());
    } else {
      add(out,
          "<p class=\"lead\">{} unexplained cases, gathered into {} kinds: by op, form and "
          "verdict, by "
          "the dtypes that differ or the reason to refuse. Crashes and timeouts first.</p>",
          grouped(data.summary.counts.unexplained),
          grouped(static_cast<int64_t>(data.failures.size())));
      out += failure_table(data, run, kMaxFailureRows);
    }
    out += not_judged_table(data, run);
  }
  return out;
}

}  // namespace upcast::reports
