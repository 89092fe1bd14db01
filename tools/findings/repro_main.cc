// upcast-repro: stand-alone programs that show a difference. Started by `upcast repro`.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/judge.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/version_range.h"
#include "tools/findings/findings_options.h"
#include "tools/known_file.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

bool is_decided(const Answer& truth) {
  return std::none_of(truth.leeway.begin(), truth.leeway.end(),
                      [](double leeway) { return std::isinf(leeway); });
}

std::string truth_text(const Case& c, double time_limit) {
  const Reply truth = fuzz::ChildSide("truth", time_limit).ask(c);
  if (truth.died() || truth.answer.tag != Answer::Tag::kTensor) return "";
  return truth.text() + (is_decided(truth.answer) ? " (correctly rounded)" : "");
}

fuzz::Reproducible of_case(const FindingsOptions& options) {
  const Case c = parse_one(options.case_line);
  subject_is_wrong(options.subject, options.oracle);  // before they are asked
  const KnownFile known = load_known_file(options.known_file);
  fuzz::Examiner examiner(options.subject, options.oracle, options.time_limit, known.differences,
                          &truth::arbitrate);
  const fuzz::Finding finding = examiner.examine(c);
  fuzz::Reproducible made = reproducible(finding, examiner, options.time_limit);
  made.python = fuzz::why_not_in_python(c);
  for (const KnownDifference& entry : known.differences) {
    if (entry.id != finding.known) continue;
    made.reason = entry.reason;
    made.witness = entry.witness_text();
    if (!entry.python.empty()) made.python = entry.python;
  }
  made.truth = truth_text(c, options.time_limit);
  return made;
}

/// One of each known difference that this LibTorch is in the range of. Those that this machine
/// cannot show are left out and named on standard error.
std::vector<fuzz::Reproducible> of_known(const FindingsOptions& options) {
  std::vector<fuzz::Reproducible> all;
  std::vector<std::string> left_out;
  std::map<std::string, std::unique_ptr<fuzz::Examiner>> examiners;
  for (const KnownDifference& entry : load_known_file(options.known_file).differences) {
    if (!shows_here(entry)) {
      left_out.push_back(entry.id);
      continue;
    }
    const auto [subject, oracle] = sides_of_entry(entry);
    std::unique_ptr<fuzz::Examiner>& examiner = examiners[subject + "|" + oracle];
    if (!examiner)
      examiner = std::make_unique<fuzz::Examiner>(subject, oracle, options.time_limit,
                                                  std::vector<KnownDifference>{});
    if (!version_in_range(examiner->libtorch_version(), entry.versions)) continue;
    const fuzz::Finding finding = examiner->examine(parse_case(entry.case_line));
    if (!finding.signature || !entry.is_of(finding.signature->kind))
      throw UsageError(fmt::format("known difference {} does not show: {} ({} against {})",
                                   entry.id, entry.case_line, finding.subject.text(),
                                   finding.oracle.text()));
    fuzz::Reproducible made = reproducible(finding, *examiner, options.time_limit);
    made.name = entry.id;
    std::replace(made.name.begin(), made.name.end(), '-', '_');
    made.reason = entry.reason;
    made.truth = entry.truth;
    made.witness = entry.witness_text();
    made.python = entry.python;
    all.push_back(std::move(made));
  }
  if (!left_out.empty())
    fmt::print(stderr,
               "upcast: this machine has no AVX2 and cannot show {} known differences: {}\n",
               left_out.size(), fmt::join(left_out, ", "));
  return all;
}

ReproOutputs outputs;

int run(const FindingsOptions& options) {
  if (outputs.cpp.empty() && outputs.python.empty()) outputs.cpp = "-";
  if (outputs.all_known) {
    if (!options.case_line.empty()) throw UsageError("give either a case or --all-known, not both");
    const std::vector<fuzz::Reproducible> all = of_known(options);
    write_output(outputs.cpp, fuzz::cpp_reproducers(all));
    write_output(outputs.python, fuzz::python_reproducers(all));
    return 0;
  }
  const fuzz::Reproducible made = of_case(options);
  const bool has_python = made.python.empty();
  if (!outputs.python.empty() && !has_python) {
    const std::string why = "no Python program: Python cannot show it; " + made.python;
    if (outputs.cpp.empty()) throw UsageError(why + " (--cpp FILE writes the one in C++)");
    fmt::print(stderr, "upcast: {}\n", why);
  }
  write_output(outputs.cpp, fuzz::cpp_reproducer(made));
  if (has_python) write_output(outputs.python, fuzz::python_reproducer(made));
  return 0;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  CLI::App app("Stand-alone programs that show a difference", "upcast repro");
  FindingsOptions options;
  add_repro_flags(app, outputs, options);
  return findings_main(app, options, argc, argv, &run);
}
