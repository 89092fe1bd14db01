// Shared by `upcast minimize` and `upcast repro`: options, sides and findings.
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

/// The subjects of this program, then `run` with the arguments parsed into `options`; faults become
/// exit code 2.
int findings_main(CLI::App& app, const FindingsOptions& options, int argc, char** argv,
                  int (*run)(const FindingsOptions& options));

/// The sides between which a known difference shows.
std::pair<std::string, std::string> sides_of_entry(const KnownDifference& entry);

/// Whether this machine has the vector paths that the entry is about: LibTorch has none without
/// AVX2.
bool shows_here(const KnownDifference& entry);

/// The one case of the line; UsageError where there is none or several.
Case parse_one(const std::string& line);

/// The data of a finding that a reproducer needs. `wrong`: who is (fuzz::suspect). UsageError where
/// nothing differs, or what differs is nothing that the side which is called shows alone.
fuzz::Reproducible reproducible(const fuzz::Finding& finding, fuzz::Examiner& examiner,
                                double time_limit, std::optional<Role> wrong);

/// The exact value of a case, ending with fuzz::kCorrectlyRounded where each element is decided;
/// "" where there is none.
std::string truth_text(const Case& c, double time_limit);

/// The short programs of each into a folder, a file of each language: NAME.py, NAME.cc. Where there
/// is none, its reason is a line on standard error: "upcast: no NAME.py: REASON".
void write_short(const std::vector<fuzz::Reproducible>& all, const std::string& folder);

/// Finds the settings with which an installed torch answers as the callee does. Holds the
/// sides that it asks; for differences of one LibTorch on the CPU after each other.
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
