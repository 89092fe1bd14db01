// What `upcast minimize` and `upcast repro` have in common: their options, sides and findings.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

#include "fuzz/findings/examiner.h"
#include "fuzz/findings/reproducer.h"
#include "tools/siblings/findings_flags.h"

namespace upcast::tools {

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

/// Which side is LibTorch and taken for wrong: the oracle, or the subject where that one alone is
/// LibTorch or takes another path than the oracle. UsageError where neither is LibTorch.
bool subject_is_wrong(const std::string& subject, const std::string& oracle);

/// A finding as what a reproducer needs. UsageError where nothing differs, or what differs is
/// nothing that LibTorch alone shows.
fuzz::Reproducible reproducible(const fuzz::Finding& finding, fuzz::Examiner& examiner,
                                double time_limit);

}  // namespace upcast::tools
