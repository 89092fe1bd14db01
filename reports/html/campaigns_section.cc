#include "reports/html/campaigns_section.h"

#include <algorithm>

#include "cases/counted.h"
#include "reports/html/markup.h"

namespace upcast::reports {
namespace {

constexpr std::size_t kMaxFindings = 200, kMaxGaps = 12, kMaxMissing = 24, kMaxSamples = 12;

/// The share of tuples that were asked, as text. It is cut off, not rounded: 99.99 % is never shown
/// as 100 %.
std::string share_text(const TupleCounts& counts) {
  const int64_t thousandths = 1000 * counts.asked / std::max<int64_t>(1, counts.possible);
  return fmt::format("{}.{} %", thousandths / 10, thousandths % 10);
}

/// A bar that shows which share of the possible tuples was asked, and which was answered.
std::string share_bar(const TupleCounts& counts) {
  const double whole = static_cast<double>(std::max<int64_t>(1, counts.possible));
  return fmt::format(
      "<svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{0}\"><rect class=\"of\" width=\"100\" height=\"8\"/><rect class=\"asked\" "
      "width=\"{1:.2f}\" height=\"8\"/><rect class=\"answered\" width=\"{2:.2f}\" "
      "height=\"8\"/></svg>",
      share_text(counts), 100 * static_cast<double>(counts.asked) / whole,
      100 * static_cast<double>(counts.answered) / whole);
}

std::string joined(const std::vector<std::string>& words, std::size_t most, const char* between) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i)
    text += (i > 0 ? between : "") + escaped(words[i]);
  if (words.size() > most) text += fmt::format(" and {} more", words.size() - most);
  return text;
}

std::string tiles(const Campaign& campaign) {
  std::string out = "<dl class=\"tiles\">";
  const auto tile = [&out](const char* label, const std::string& number, const std::string& note) {
    add(out, "<div class=\"tile\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>", label, number,
        note);
  };
  tile("findings", grouped(campaign.signatures),
       fmt::format("signatures, {}", counted(campaign.finding_cases, "case")));
  tile("cases", grouped(campaign.cases),
       fmt::format("{} a second", grouped(static_cast<int64_t>(campaign.cases_per_second))));
  tile("features", grouped(campaign.features),
       counted(campaign.corpus, "input") + " in the corpus");
  if (campaign.has_coverage) {
    tile("pairs tried", share_text(campaign.pairs),
         fmt::format("triples {}", share_text(campaign.triples)));
  } else {
    tile("known", grouped(campaign.known),
         "cases of " + counted(std::ssize(campaign.known_by_id), "declared difference"));
  }
  return out + "</dl>\n";
}

std::string findings_table(const Campaign& campaign, const Summary& summary) {
  if (!campaign.missing_log.empty())
    return fmt::format(
        "<p class=\"note\">The list of findings, <code>{}</code>, was not found.</p>\n",
        escaped(campaign.missing_log));
  if (campaign.findings.empty()) return "<p class=\"lead\">It found nothing unexplained.</p>\n";
  std::string out =
      "<h3>Findings</h3>" + table_start("stack", "Findings of " + campaign.target) +
      "<thead><tr><th "
      "scope=\"col\">signature</th><th scope=\"col\">subject says</th><th scope=\"col\">oracle "
      "says</th><th scope=\"col\">case</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < std::min(campaign.findings.size(), kMaxFindings); ++i) {
    const CampaignFinding& finding = campaign.findings[i];
    add(out,
        "<tr><td data-label=\"signature\"><code>{}</code></td><td data-label=\"subject\"><code>{}"
        "</code></td><td data-label=\"oracle\"><code>{}</code></td><td data-label=\"case\">{}</td>"
        "</tr>\n",
        escaped(finding.signature), escaped(finding.subject), escaped(finding.oracle),
        line_cell(finding.line, -1, summary, 0));
  }
  out += "</tbody></table></div>\n";
  if (campaign.findings.size() > kMaxFindings)
    add(out, "<p class=\"more\">and {} more</p>\n",
        grouped(static_cast<int64_t>(campaign.findings.size() - kMaxFindings)));
  return out;
}

std::string gaps_list(const TupleCombination& combination) {
  if (combination.gaps.empty()) return "";
  std::string out =
      "<details><summary>combinations that were not asked</summary><ul class=\"gaps\">";
  const std::size_t shown = std::min(combination.gaps.size(), kMaxGaps);
  for (std::size_t i = 0; i < shown; ++i)
    add(out, "<li><b>{}</b> with {}</li>", joined(combination.gaps[i].of, kMaxMissing, ", "),
        joined(combination.gaps[i].missing, kMaxMissing, ", "));
  out += "</ul>";
  const int64_t rest =
      combination.gaps_left_out + static_cast<int64_t>(combination.gaps.size() - shown);
  if (rest > 0) add(out, "<p class=\"more\">and {}</p>", counted(rest, "more gap"));
  return out + "</details>";
}

std::string coverage_table(const Campaign& campaign) {
  if (!campaign.has_coverage) return "";
  std::string out =
      "<h3>What was tried</h3><p class=\"lead\">Combinations of the values of two or three "
      "factors. Pale: the share of the possible ones that both sides were asked. Dark: the share "
      "that the subject answered and did not refuse.</p>" +
      table_start("coverage", "Tuples that " + campaign.target + " tried") +
      "<thead><tr><th "
      "scope=\"col\">factors</th><th scope=\"col\" class=\"num\">possible</th><th scope=\"col\" "
      "class=\"num\">asked</th><th scope=\"col\" class=\"num\">answered</th><th scope=\"col\">"
      "share</th><th scope=\"col\">gaps</th></tr></thead><tbody>\n";
  for (const TupleCombination& combination : campaign.combinations)
    add(out,
        "<tr><th scope=\"row\">{}</th><td class=\"num\">{}</td><td class=\"num\">{}</td><td "
        "class=\"num\">{}</td><td>{} {}</td><td>{}</td></tr>\n",
        joined(combination.factors, 3, " × "), grouped(combination.counts.possible),
        grouped(combination.counts.asked), grouped(combination.counts.answered),
        share_bar(combination.counts), share_text(combination.counts), gaps_list(combination));
  return out + "</tbody></table></div>\n";
}

/// The empty element in which the script draws a plot.
std::string plot_slot(std::size_t campaign, const char* plot) {
  return fmt::format(
      "<div class=\"plot-slot needs-script\" data-campaign=\"{}\" data-plot=\"{}\"></div>\n",
      campaign, plot);
}

std::string samples_section(const Campaign& campaign, std::size_t number) {
  if (campaign.samples.empty()) return "";
  std::string out =
      "<h3>Over time</h3>" + plot_slot(number, "curves") +
      "<details><summary>as a table</summary>" +
      table_start("coverage", campaign.target + " over time") +
      "<thead><tr><th scope=\"col\" class=\"num\">seconds</th>"
      "<th scope=\"col\" class=\"num\">cases</th><th scope=\"col\" class=\"num\">"
      "features</th><th scope=\"col\" class=\"num\">findings</th></tr></thead><tbody>\n";
  const std::size_t count = campaign.samples.size();
  const std::size_t rows = std::min(count, kMaxSamples);
  // The rows are spread evenly over the samples; the last sample is always shown.
  for (std::size_t row = 1; row <= rows; ++row) {
    const CampaignSample& sample = campaign.samples[row * count / rows - 1];
    add(out,
        "<tr><td class=\"num\">{:.0f}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td "
        "class=\"num\">{}</td></tr>\n",
        sample.seconds, grouped(sample.cases), grouped(sample.features), grouped(sample.findings));
  }
  return out + "</tbody></table></div></details>\n";
}

std::string ops_section(const Campaign& campaign, std::size_t number) {
  if (campaign.ops.empty()) return "";
  std::string out = plot_slot(number, "coverage") + "<details><summary>op by op</summary>" +
                    table_start("coverage", "Tuples that " + campaign.target + " tried, op by op") +
                    "<thead><tr><th scope=\"col\">op</th><th scope=\"col\" "
                    "class=\"num\">possible</th><th scope=\"col\" class=\"num\">asked</th><th "
                    "scope=\"col\" class=\"num\">answered</th></tr></thead><tbody>\n";
  for (const OpTuples& each : campaign.ops)
    add(out,
        "<tr><th scope=\"row\">{}</th><td class=\"num\">{}</td><td class=\"num\">{}</td><td "
        "class=\"num\">{}</td></tr>\n",
        escaped(each.op), grouped(each.counts.possible), grouped(each.counts.asked),
        grouped(each.counts.answered));
  return out + "</tbody></table></div></details>\n";
}

std::string known_list(const Campaign& campaign) {
  if (campaign.known_by_id.empty()) return "";
  std::string out =
      "<details><summary>known differences that it found</summary><ul class=\"gaps\">";
  for (const auto& [id, cases] : campaign.known_by_id)
    add(out, "<li>{} {}</li>", escaped(id), grouped(cases));
  return out + "</ul></details>\n";
}

}  // namespace

std::string campaigns_section(const std::vector<Campaign>& campaigns, const Summary& summary) {
  if (campaigns.empty()) return "";
  std::string out = "<h1>Campaigns</h1>";
  for (std::size_t number = 0; number < campaigns.size(); ++number) {
    const Campaign& campaign = campaigns[number];
    add(out, "<h2>{} <small>{:.0f} s{}</small></h2>", escaped(campaign.target), campaign.seconds,
        campaign.complete ? "" : ", interrupted");
    out += tiles(campaign);
    for (const std::string& crash : campaign.crashes)
      add(out, "<p class=\"note fault\">An engine died of {}</p>", escaped(crash));
    out += findings_table(campaign, summary);
    out += samples_section(campaign, number);
    out += coverage_table(campaign);
    out += ops_section(campaign, number);
    out += known_list(campaign);
  }
  return out;
}

}  // namespace upcast::reports
