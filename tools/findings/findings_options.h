// What `upcast minimize` and `upcast repro` share: options, sides and findings.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/findings/examiner.h"
#include "fuzz/findings/reproducer.h"
#include "tools/siblings/findings_flags.h"

namespace upcast::tools {

/// Makes the subjects of this program known to make_subject().
void register_findings_subjects();

/// Registers the subjects of this program, then calls `run` with the arguments parsed into
/// `options`. Faults become exit code 2.
int findings_main(CLI::App& app, const FindingsOptions& options, int argc, char** argv,
                  int (*run)(const FindingsOptions& options));

/// The subject and the oracle between which a known difference shows.
std::pair<std::string, std::string> sides_of_entry(const KnownDifference& entry);

/// Whether this machine has the vector paths that the entry is about. Without AVX2 LibTorch has
/// none.
bool shows_here(const KnownDifference& entry);

/// Parses a line that must hold one case. Throws UsageError if it holds none, or several.
Case parse_one(const std::string& line);

/// The data of a finding that a reproducer needs. `wrong`: the side at fault (fuzz::suspect).
/// Throws UsageError if the sides agree, or if no program that calls one side only can show the
/// difference.
fuzz::Reproducible reproducible(const fuzz::Finding& finding, fuzz::Examiner& examiner,
                                double time_limit, std::optional<Role> wrong);

/// The exact value of a case as text; it ends with fuzz::kCorrectlyRounded if the truth decides
/// each element. "" if the truth decides none.
std::string truth_text(const Case& c, double time_limit);

/// Writes the short programs of each finding into a folder, a file for each language: NAME.py,
/// NAME.cc. If there is none, a line on standard error has the reason: "upcast: no NAME.py:
/// REASON".
void write_short(const std::vector<fuzz::Reproducible>& all, const std::string& folder);

/// Finds the fewest settings that a program must set so that an installed torch answers as in the
/// finding. Keeps the child processes that it asks: use one object for all findings about one
/// LibTorch.
class SettingsFinder {
 public:
  explicit SettingsFinder(double time_limit) : time_limit_(time_limit) {}

  void find(fuzz::Reproducible& made);

 private:
  bool answers_alike(const fuzz::Reproducible& made, const std::string& settings);

  double time_limit_;
  std::map<std::string, std::unique_ptr<fuzz::ChildSide>> sides_;
};

}  // namespace upcast::tools
