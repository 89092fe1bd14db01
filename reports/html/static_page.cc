#include "reports/html/static_page.h"

#include <algorithm>
#include <map>

#include "cases/counted.h"
#include "oracle/side.h"
#include "reports/html/markup.h"
#include "reports/html/reasons.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// How many failing ops the first screen lists.
constexpr size_t kMaxFailingOps = 10;

struct Mark {
  std::string_view css, glyph;
};

Mark mark_of(Outlook outlook) {
  if (outlook == Outlook::kAsExpected) return {"ok", "✓"};
  if (outlook == Outlook::kUnexpected) return {"bad", "✕"};
  return {"open", "…"};
}

Mark mark_of(const Summary& summary) {
  return summary.covers_too_little() ? Mark{"open", "○"} : mark_of(summary.outlook());
}

/// A bar with the share of each verdict, and a share for what the subject does not claim. A share
/// that is not zero is at least six units of 1000 wide.
std::string share_bar(const Summary& summary) {
  constexpr double kWhole = 1000, kLeast = 6;
  const Counts& counts = summary.counts;
  const int64_t all = std::max<int64_t>(1, counts.planned + summary.coverage.left_out);
  std::map<int, std::pair<std::string_view, int64_t>> shares;  // by severity
  const auto share = [&](const VerdictLook& look, int64_t cases) {
    if (cases > 0) shares[look.severity] = {look.css, cases};
  };
  for (size_t code = 0; code < kVerdictLooks.size(); ++code)
    share(kVerdictLooks[code], counts.by_verdict[code]);
  share(look_of(VerdictCode::kNotJudged), counts.not_judged + summary.coverage.left_out);
  share(kMissingLook, counts.planned - counts.ran);
  const auto width_of = [&](int64_t cases) {
    return std::max(kLeast, kWhole * static_cast<double>(cases) / static_cast<double>(all));
  };
  double total = 0;
  for (const auto& [severity, each] : shares) total += width_of(each.second);
  std::string svg =
      "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"shares of the verdicts\">";
  double x = 0;
  for (const auto& [severity, each] : shares) {
    const double width = width_of(each.second) * kWhole / total;
    add(svg, "<rect class=\"v-{}\" x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"10\"/>",
        each.first, x, std::max(1.0, width - 2));
    x += width;
  }
  return svg + "</svg>";
}

void add_tile(std::string& out, const VerdictLook& look, std::string_view label, int64_t number,
              std::string_view note) {
  add(out,
      "<div class=\"tile\"><dt><span class=\"mark m-{}\" aria-hidden=\"true\">{}</span>{}</dt>"
      "<dd>{}<small>{}</small></dd></div>",
      look.css, look.glyph, label, grouped(number), note);
}

std::string share(int64_t part, int64_t whole) {
  return whole == 0 ? "no case"
                    : fmt::format("{:.3f} %",
                                  100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string count_tiles(const Summary& summary) {
  const Counts& counts = summary.counts;
  std::string out = "<dl class=\"tiles\">";
  add_tile(out, look_of(counts.unexplained > 0 ? counts.worst() : VerdictCode::kDifferDType),
           "unexplained", counts.unexplained,
           fmt::format("crash {}, timeout {}, expectation {}", grouped(counts.crash),
                       grouped(counts.timeout), grouped(counts.expectation)));
  add_tile(
      out, look_of(VerdictCode::kKnown), "known", counts.known,
      fmt::format("in {} of {} declared differences", summary.occurring(), summary.known.size()));
  add_tile(out, look_of(VerdictCode::kNotJudged), "not judged", counts.not_judged,
           share(counts.not_judged, counts.ran));
  add_tile(out, look_of(VerdictCode::kAgree), "agree", counts.agree,
           fmt::format("{}, {} values judged", share(counts.agree, counts.ran),
                       grouped(counts.values_judged)));
  return out + "</dl>";
}

/// The line under the run's verdict: who is wrong, and in how many differences.
std::string who_is_wrong(const Summary& summary) {
  const std::string sentence = summary.who_is_wrong();
  return sentence.empty() ? "" : fmt::format("<p class=\"who\">{}</p>", escaped(sentence));
}

/// The line about the coverage that a run's verdict rests on.
std::string coverage_line(const Coverage& coverage) {
  const std::string outside = coverage.outside_words();
  return fmt::format("<p class=\"who coverage\">Coverage: {}{}.</p>", coverage.words(),
                     outside.empty() ? "" : "; " + outside);
}

/// Says which cases are listed, if not all are.
std::string summed_line(const RunData& data) {
  if (!data.is_summed) return "";
  return fmt::format(
      "<p class=\"who summed\">All counts are of all cases. But {} summed, not listed: the page "
      "lists "
      "the first {} of each verdict and each known difference, for each op, and none that "
      "agree.</p>",
      counted(data.unlisted(), "case is", "cases are"), kListedOfEach);
}

/// A line that says whom the truth is with if values differ. "" if the truth was not asked.
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
      "<p class=\"truth\">The truth was asked about {} recorded differences in value. It agrees "
      "with <b>{}</b> in {}, with <b>{}</b> in {}, with neither in {}, and does not decide {}.</p>",
      grouped(decided + sum.undecided), escaped(data.summary.subject_name()),
      grouped(sum.with_subject), escaped(data.summary.oracle_name()), grouped(sum.with_oracle),
      grouped(sum.with_neither), grouped(sum.undecided));
}

void add_check(std::string& out, bool holds, const std::string& text) {
  add(out, "<li class=\"{}\"><span class=\"mark m-{}\" aria-hidden=\"true\">{}</span>{}</li>",
      holds ? "holds" : "fails", holds ? "agree" : "bad", holds ? "✓" : "✕", text);
}

/// Why the run's verdict can be trusted: one line for each check without which it would be
/// worthless.
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
              summary.stale.empty()
                  ? std::string("no known difference is stale")
                  : fmt::format("known differences that no longer occur: {}", stale));
  } else {
    // Only a whole run can check this, so the line says neither "holds" nor "fails".
    add(out,
        "<li><span class=\"mark m-unjudged\" aria-hidden=\"true\">○</span>stale known differences: "
        "only a whole run can find them{}</li>",
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

/// The number of an op's cases with a verdict, as a link to the map's pane with exactly these
/// cases.
std::string failing_count(const OpData& op, VerdictCode verdict, size_t run) {
  const VerdictLook& look = look_of(verdict);
  return fmt::format(
      "<span class=\"tally m-{}\" data-pane=\"{}\" data-run=\"{}\" data-query=\"verdict:{}\">"
      "<span aria-hidden=\"true\">{}</span> {} {}</span>",
      look.css, escaped(op.name), run, name(verdict), look.glyph,
      grouped(op.counts.by_verdict[static_cast<size_t>(verdict)]), kind_of(verdict));
}

/// A table of the ops with the most severe failures. It shows the worst failure of each.
std::string failing_ops_table(const RunData& data, size_t run) {
  const std::vector<FailingOp> ops = failing_ops(data);
  if (ops.empty()) return "";
  std::string out =
      table_start("failing", "Ops with unexplained differences of " + data.summary.title()) +
      "<thead><tr><th scope=\"col\">op</th><th scope=\"col\">unexplained</th>"
      "<th scope=\"col\">the worst</th></tr></thead><tbody>\n";
  const size_t shown = std::min(kMaxFailingOps, ops.size());
  for (size_t i = 0; i < shown; ++i) {
    const FailingOp& each = ops[i];
    add(out, "<tr><th scope=\"row\">{}</th><td>", escaped(each.op->name));
    for (const VerdictCode verdict : each.verdicts) out += failing_count(*each.op, verdict, run);
    add(out, "</td><td><small>{}</small>{}</td></tr>\n",
        escaped(reason_sentence(*each.worst, data.summary)),
        line_cell(each.worst->line, each.worst->first_case, data.summary, run));
  }
  out += "</tbody></table></div><p class=\"more\">";
  if (shown < ops.size())
    add(out, "and {}; ", counted(static_cast<int64_t>(ops.size() - shown), "more op"));
  return out + "<a href=\"#failures\">all differences by reason</a></p>";
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
        "<p class=\"eyebrow\">{} · {}</p><h1>{}</h1>{}{}{}</div></div>",
        mark.css, mark.glyph, escaped(data.summary.title()), escaped(data.summary.source),
        escaped(data.summary.verdict_sentence()), who_is_wrong(data.summary),
        coverage_line(data.summary.coverage), summed_line(data));
    out += share_bar(data.summary);
    out += failing_ops_table(data, run);
    out += count_tiles(data.summary);
    out += truth_line(data);
    if (run == 0) out += news;
    add(out, "<div class=\"columns\"><div>{}</div><div>{}</div></div>", completeness(data.summary),
        environment(data.summary));
    add(out, "<div class=\"atlas-slot\" data-run=\"{}\"></div>", run);
  }
  return out;
}

}  // namespace upcast::reports
