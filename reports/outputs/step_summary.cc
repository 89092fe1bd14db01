#include <fmt/format.h>

#include "cases/counted.h"
#include "cases/visible.h"
#include "reports/outputs/markdown.h"
#include "reports/outputs/outputs.h"
#include "reports/outputs/schema_tests.h"

namespace upcast::reports {
namespace {

/// The largest summary, in bytes. GitHub takes 1 MiB for each step; the rest is left to other texts
/// of the step.
constexpr std::size_t kLimit = 1'000'000;

/// Makes a text from outside safe within Markdown: no markup, no HTML, no link, no mention.
std::string plain(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_{}[]()#|~!@";
  std::string out;
  for (const char c : visible(text)) {
    if (kMarkup.find(c) != kMarkup.npos) out += '\\';
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  // GitHub makes links of addresses even without markup, so these are broken up.
  for (const std::string_view link : {"://", "www."})
    for (std::size_t at = out.find(link); at != out.npos; at = out.find(link, at + 1))
      out.replace(at, link.size(), link == "://" ? "&#58;//" : "www&#46;");
  return out;
}

std::string fenced(std::string_view text) {
  return fmt::format("{0}\n{1}\n{0}\n", markdown_fence(text), visible(text));
}

/// The summary of one run, without the head of the whole summary, in at most `limit` bytes.
std::string run_text(const RunData& data, bool is_one_of_several, std::size_t limit) {
  const Summary& summary = data.summary;
  const Counts& counts = summary.counts;
  constexpr std::array kMarks = {"✅", "❌", "", "⚠️"};  // index: the run's exit code
  constexpr const char* kLittle = "⚪";                     // too little was judged
  std::string out = fmt::format(
      "## {} {}\n\n{}\n\n",
      summary.covers_too_little() ? kLittle : kMarks[static_cast<std::size_t>(summary.outlook())],
      is_one_of_several ? plain(summary.title()) : std::string("upcast"),
      plain(summary.verdict_sentence()));
  if (const std::string who = summary.who_is_wrong(); !who.empty()) out += plain(who) + "\n\n";
  fmt::format_to(std::back_inserter(out),
                 "| planned | ran | agree | known | unexplained | not judged | values judged |\n"
                 "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
                 "| {} | {} | {} | {} | {} | {} | {} |\n",
                 grouped(counts.planned), grouped(counts.ran), grouped(counts.agree),
                 grouped(counts.known), grouped(counts.unexplained), grouped(counts.not_judged),
                 grouped(counts.values_judged));
  const std::string outside = summary.coverage.outside_words();
  fmt::format_to(std::back_inserter(out), "\nCoverage: {}{}.\n", summary.coverage.words(),
                 outside.empty() ? "" : "; " + plain(outside));
  std::size_t shown = 0;
  for (const FailureGroup& group : data.failures) {
    const std::string text = fenced(failure_text(group, summary.sides()));
    if (out.size() + text.size() > limit) break;
    if (shown++ == 0) out += "\n### What differs\n";
    out += text;
  }
  if (shown < data.failures.size())
    fmt::format_to(std::back_inserter(out), "\n{} in the report.\n",
                   counted(static_cast<int64_t>(data.failures.size() - shown),
                           "more kind of differences is", "more kinds of differences are"));
  return out;
}

}  // namespace

std::string step_summary(const std::vector<RunData>& runs) {
  std::string out;
  for (const RunData& run : runs)
    out += (out.empty() ? "" : "\n") + run_text(run, runs.size() > 1, kLimit / runs.size());
  return out;
}

}  // namespace upcast::reports
