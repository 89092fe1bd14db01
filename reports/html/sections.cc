#include "reports/html/sections.h"

#include <fmt/format.h>

#include "reports/html/campaigns_section.h"
#include "reports/html/findings_section.h"
#include "reports/html/kinds_section.h"
#include "reports/html/markup.h"
#include "reports/html/static_page.h"
#include "reports/html/systems_section.h"

namespace upcast::reports {
namespace {

std::int64_t known_count(const std::vector<RunData>& runs) {
  std::int64_t count = 0;
  for (const RunData& run : runs) count += static_cast<std::int64_t>(run.summary.known.size());
  return count;
}

std::int64_t unexplained(const std::vector<RunData>& runs) {
  std::int64_t count = 0;
  for (const RunData& run : runs) count += run.summary.counts.unexplained;
  return count;
}

std::int64_t signatures(const std::vector<Campaign>& campaigns) {
  std::int64_t count = 0;
  for (const Campaign& campaign : campaigns) count += campaign.signatures;
  return count;
}

}  // namespace

std::vector<Section> sections_of(const std::vector<RunData>& runs,
                                 const std::optional<Changes>& changes, const ReportInput& input) {
  const bool has_accuracy = !input.accuracy.rows.empty();
  const FindingRows findings = finding_rows(runs, input);
  std::vector<Section> sections{
      {.id = "summary",
       .name = "Summary",
       .html = summary_section(runs, changes ? changes_summary(*changes) : ""),
       .title = ""},
      {.id = "failures",
       .name = "Differences",
       .html = failures_section(runs),
       .count = unexplained(runs)},
      {.id = "findings",
       .name = "Findings",
       .html = findings_section(findings, runs),
       .count = finding_count(findings)},
      {.id = "kinds", .name = "By kind", .html = kinds_section(runs)},
      {.id = "map", .name = "Promotion map", .is_drawn = true},
      {.id = "matrix", .name = "Op × dtype", .is_drawn = true},
      {.id = "case", .name = "Case", .is_drawn = true, .has_link = false},
      {.id = "accuracy", .name = "Accuracy", .is_drawn = true, .has_link = has_accuracy},
      {.id = "search", .name = "Search", .is_drawn = true, .has_link = false},
      {.id = "known",
       .name = "Known",
       .html = known_section(runs),
       .count = known_count(runs),
       .title = "Known differences"},
      {.id = "changes",
       .name = "Changes",
       .html = changes_section(changes, runs.front()),
       .count = changes ? changes->diff.worse() : 0},
      {.id = "campaigns",
       .name = "Campaigns",
       .html = campaigns_section(input.campaigns, runs.front().summary),
       .count = signatures(input.campaigns)},
      {.id = "systems", .name = "Systems", .html = systems_section(runs)}};
  if (runs.size() > 1)
    sections.insert(sections.begin() + 6,
                    {.id = "compare", .name = "Side by side", .is_drawn = true});
  return sections;
}

std::string links(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections)
    if (section.has_link)
      out += fmt::format(
          "<a href=\"#{}\"{}>{}{}</a>\n", section.id,
          section.is_drawn ? " class=\"needs-script\"" : "", section.name,
          section.count ? fmt::format(" <span class=\"count\">{}</span>", grouped(*section.count))
                        : "");
  return out;
}

std::string bodies(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections)
    out += fmt::format("<section id=\"{}\" class=\"view{}\" data-title=\"{}\"{}>{}</section>\n",
                       section.id, section.is_drawn ? " drawn" : "", section.title,
                       section.is_drawn ? " hidden" : "", section.html);
  return out;
}

}  // namespace upcast::reports
