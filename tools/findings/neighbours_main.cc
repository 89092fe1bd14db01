// upcast-neighbours: checks that each known difference explains a cause, not one case. Asks each
// entry's sides about random neighbours of its case, and counts those that nothing explains.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <vector>

#include "cases/counted.h"
#include "cases/draw/neighbour.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/version_range.h"
#include "tools/findings/findings_options.h"
#include "tools/known_file.h"

namespace upcast::tools {
namespace {

struct Options {
  std::string id;
  int count = 200;
  std::uint64_t seed = 20261123;
  double least = 99;  // percent of neighbours that must be explained or agree
} options;

struct Tally {
  int agree = 0, known = 0, unexplained = 0, not_judged = 0;
  std::vector<std::string> examples{};

  /// The percentage of judged neighbours that agree or are explained; 0 if none was judged.
  double explained() const {
    const int judged = agree + known + unexplained;
    return judged == 0 ? 0 : 100.0 * (agree + known) / judged;
  }
};

Tally tally_of(const KnownDifference& entry, fuzz::Examiner& examiner) {
  constexpr std::size_t kExamples = 3;
  Tally tally;
  Random random(options.seed);
  const Case c = parse_case(entry.case_line);
  for (int i = 0; i < options.count; ++i) {
    const fuzz::Finding found = examiner.examine(draw_neighbour(random, c));
    const VerdictCode code = found.verdict.code;
    ++(code == VerdictCode::kKnown       ? tally.known
       : code == VerdictCode::kNotJudged ? tally.not_judged
       : is_failure(code)                ? tally.unexplained
                                         : tally.agree);
    if (is_failure(code) && tally.examples.size() < kExamples)
      tally.examples.push_back(fmt::format("{}\n      {}\n      {}", print_case(found.c),
                                           found.subject.text(), found.oracle.text()));
  }
  return tally;
}

int run(const FindingsOptions& findings) {
  const KnownFile known = load_known_file(findings.known_file);
  std::map<std::string, std::unique_ptr<fuzz::Examiner>> examiners;
  int below = 0, asked = 0;
  for (const KnownDifference& entry : without_frameworks(known.differences)) {
    if (!options.id.empty() && entry.id != options.id) continue;
    const auto [subject, oracle] = sides_of_entry(entry);
    if (!shows_here(entry)) {
      fmt::print("{:<60} not asked: this machine has no AVX2\n", entry.id);
      continue;
    }
    std::unique_ptr<fuzz::Examiner>& examiner = examiners[subject + "|" + oracle];
    if (!examiner)
      examiner = std::make_unique<fuzz::Examiner>(subject, oracle, findings.time_limit,
                                                  known.differences, truth::make_arbiter());
    if (!version_in_range(examiner->libtorch_version(), entry.versions)) continue;
    const Tally tally = tally_of(entry, *examiner);
    ++asked;
    below += tally.explained() < options.least;
    fmt::print("{:<60} known {:>3}, agree {:>3}, unexplained {:>3}, not judged {:>3}: {:.1f} %\n",
               entry.id, tally.known, tally.agree, tally.unexplained, tally.not_judged,
               tally.explained());
    for (const std::string& example : tally.examples) fmt::print("    {}\n", example);
    std::fflush(stdout);
  }
  fmt::print("{} asked, {} each; {} below {} %\n", counted(asked, "entry", "entries"),
             counted(options.count, "neighbour"), below, options.least);
  if (asked == 0)
    throw UsageError("no known difference was asked: check --id and the version of LibTorch");
  return below == 0 ? 0 : 1;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using upcast::tools::options;
  upcast::tools::FindingsOptions findings;
  CLI::App app{
      "Asks random neighbours of each known difference's case: are they explained, or do they "
      "agree?"};
  app.add_option("--id", options.id, "This entry only");
  app.add_option("--count", options.count, "Number of neighbours of each case")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Seed of the random neighbours")->capture_default_str();
  app.add_option("--least", options.least,
                 "Least percentage of neighbours that are explained or agree")
      ->capture_default_str();
  app.add_option("--known", findings.known_file, "Known differences (default: those built in)");
  app.add_option("--time-limit", findings.time_limit, "Seconds that a side may take for one case")
      ->capture_default_str();
  return upcast::tools::findings_main(app, findings, argc, argv, &upcast::tools::run);
}
