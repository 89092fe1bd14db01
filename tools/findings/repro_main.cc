// upcast-repro: writes stand-alone programs that show a difference. `upcast repro` starts it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cases/notation.h"
#include "fuzz/findings/short_program.h"
#include "impl/core/error.h"
#include "oracle/judge.h"
#include "oracle/truth/arbitrate.h"
#include "oracle/version_range.h"
#include "reports/blame.h"
#include "tools/findings/findings_options.h"
#include "tools/known_file.h"
#include "tools/store_bridge.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

ReproOutputs outputs;

/// Adds what short programs need: the fewest settings, and the exact value if it is known.
void prepare_short(fuzz::Reproducible& made, SettingsFinder& settings, double time_limit) {
  settings.find(made);
  if (made.code != VerdictCode::kDifferValue) return;
  const std::string truth = truth_text(made.c, time_limit);
  if (truth.ends_with(fuzz::kCorrectlyRounded)) made.truth = truth;
}

fuzz::Reproducible of_case(const FindingsOptions& options) {
  const Case c = parse_one(options.case_line);
  fuzz::callee_of(parse_side(  // a fault: before they are asked
      fuzz::suspect(parse_side(options.subject), parse_side(options.oracle), {}) == Role::kSubject
          ? options.subject
          : options.oracle));
  const KnownFile known = load_known_file(options.known_file);
  fuzz::Examiner examiner(options.subject, options.oracle, options.time_limit, known.differences,
                          &truth::arbitrate);
  const fuzz::Finding finding = examiner.examine(c);
  const std::vector<reports::KnownEntry> entries = store_known(
      known.differences, known_scope(parse_side(examiner.subject()), parse_side(examiner.oracle()),
                                     {{"libtorch", examiner.libtorch_version()}}, false));
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& each) { return each.name == finding.known; });
  const reports::KnownEntry* const explains = entry == entries.end() ? nullptr : &*entry;
  const std::string who =
      reports::wrong_sentence(finding.verdict, explains, {examiner.subject(), examiner.oracle()});
  fuzz::Reproducible made;
  try {
    made = reproducible(finding, examiner, options.time_limit,
                        reports::wrong_side(reports::blame_of(finding.verdict, explains)));
  } catch (const UsageError& error) {
    throw UsageError(who.empty() ? error.what() : fmt::format("{} ({})", error.what(), who));
  }
  made.who_is_wrong = who;
  if (made.callee.kernels.empty()) made.python = fuzz::why_not_in_python(c);
  if (explains != nullptr) {
    made.reason = explains->reason;
    made.witness = explains->witness;
    if (!explains->python.empty()) made.python = explains->python;
  }
  made.truth = truth_text(c, options.time_limit);
  if (outputs.is_short) {
    SettingsFinder settings(options.time_limit);
    settings.find(made);
  }
  return made;
}

/// The data of a program for each known difference that this LibTorch version has. Differences that
/// this machine cannot show are left out, and named on standard error.
std::vector<fuzz::Reproducible> of_known(const FindingsOptions& options) {
  std::vector<fuzz::Reproducible> all;
  std::vector<std::string> left_out;
  std::map<std::string, std::unique_ptr<fuzz::Examiner>> examiners;
  SettingsFinder settings(options.time_limit);
  for (const KnownDifference& entry :
       without_frameworks(load_known_file(options.known_file).differences)) {
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
    const VerdictCode code = finding.verdict.code;
    const bool is_of_oracle = subject != entry.subject;
    if (!finding.signature || !entry.is_of(kind_of(is_of_oracle ? mirrored(code) : code)))
      throw UsageError(fmt::format("known difference {} does not show: {} ({} against {})",
                                   entry.id, entry.case_line, finding.subject.text(),
                                   finding.oracle.text()));
    fuzz::Reproducible made = reproducible(finding, *examiner, options.time_limit, {});
    made.name = entry.id;
    std::replace(made.name.begin(), made.name.end(), '-', '_');
    made.reason = entry.reason;
    made.truth = entry.truth;
    made.witness = entry.witness_text();
    made.python = entry.python;
    if (outputs.is_short) prepare_short(made, settings, options.time_limit);
    all.push_back(std::move(made));
  }
  if (!left_out.empty())
    fmt::print(stderr,
               "upcast: this machine has no AVX2 and cannot show {} known differences: {}\n",
               left_out.size(), fmt::join(left_out, ", "));
  return all;
}

/// The program in a language: the short one if the user asked for it, else the long one. If there
/// is no short one, prints a note and returns the long one.
std::string program_of(const fuzz::Reproducible& made, std::string_view language,
                       fuzz::ShortProgram (*in_short)(const fuzz::Reproducible&),
                       std::string (*in_full)(const fuzz::Reproducible&)) {
  if (!outputs.is_short) return in_full(made);
  const fuzz::ShortProgram program = in_short(made);
  if (!program.why_not.empty())
    fmt::print(stderr, "upcast: no short program in {}: {}; the long one is written instead\n",
               language, program.why_not);
  return program.why_not.empty() ? program.text : in_full(made);
}

/// Writes the program in one language. If the user also asked for the other language, and it has no
/// program, prints a note.
void write(const fuzz::Reproducible& made) {
  std::string no_python = why_not_in_python(made.callee);
  if (no_python.empty() && made.callee.kind != fuzz::Callee::Kind::kProcess && !made.python.empty())
    no_python = "Python cannot show it; " + made.python;
  const std::string no_cpp = why_not_in_cpp(made.callee);
  if (outputs.cpp.empty() && outputs.python.empty())
    (no_cpp.empty() ? outputs.cpp : outputs.python) = "-";
  const bool writes_cpp = !outputs.cpp.empty() && no_cpp.empty();
  const bool writes_python = !outputs.python.empty() && no_python.empty();
  std::string note;
  if (!outputs.python.empty() && !writes_python) note = "no Python program: " + no_python;
  if (!outputs.cpp.empty() && !writes_cpp) note = "no C++ program: " + no_cpp;
  if (!writes_cpp && !writes_python)
    throw UsageError(note + (no_cpp.empty()      ? " (--cpp FILE writes the one in C++)"
                             : no_python.empty() ? " (--python FILE writes the one in Python)"
                                                 : ""));
  if (!note.empty()) fmt::print(stderr, "upcast: {}\n", note);
  if (writes_cpp)
    write_output(outputs.cpp, program_of(made, "C++", &fuzz::short_cpp, &fuzz::cpp_reproducer));
  if (writes_python)
    write_output(outputs.python,
                 program_of(made, "Python", &fuzz::short_python, &fuzz::python_reproducer));
}

int run(const FindingsOptions& options) {
  if (outputs.folder.empty() == (outputs.is_short && outputs.all_known))
    throw UsageError(
        "--folder FOLDER belongs to --all-known --short: give all three, or no --folder");
  if (!outputs.all_known) {
    write(of_case(options));
    return 0;
  }
  if (!options.case_line.empty()) throw UsageError("give either a case or --all-known, not both");
  if (outputs.is_short) {
    write_short(of_known(options), outputs.folder);
    return 0;
  }
  if (outputs.cpp.empty() && outputs.python.empty()) outputs.cpp = "-";
  const std::vector<fuzz::Reproducible> all = of_known(options);
  write_output(outputs.cpp, fuzz::cpp_reproducers(all));
  write_output(outputs.python, fuzz::python_reproducers(all));
  return 0;
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  CLI::App app("Writes stand-alone programs that show a difference", "upcast repro");
  FindingsOptions options;
  add_repro_flags(app, outputs, options);
  return findings_main(app, options, argc, argv, &run);
}
