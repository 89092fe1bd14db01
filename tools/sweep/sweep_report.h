// Writes the results of a sweep, as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>

#include "oracle/truth/ulp_statistics.h"
#include "tools/sweep/chunk_jobs.h"
#include "tools/sweep/path_statistics.h"

namespace upcast::tools {

/// The results of a sweep against the truth as JSON. Its object `sides` has the maximum and mean
/// error, the histogram and the worst inputs of each side.
nlohmann::json outcome_json(const SweepOptions& options,
                            const SweepOutcome<truth::UlpStatistics>& outcome, double seconds);
/// The results of a sweep of paths as JSON. Its object `paths` says for each path how many inputs
/// differ, how far at most, and which are the first and the worst. `reference`: the name of the
/// path that the others are compared with.
nlohmann::json outcome_json(const SweepOptions& options, const std::string& reference,
                            const SweepOutcome<PathStatistics>& outcome, double seconds);

/// The results of a sweep as text, a line for each side or path.
std::string outcome_text(const SweepOptions& options,
                         const SweepOutcome<truth::UlpStatistics>& outcome, double seconds);
std::string outcome_text(const SweepOptions& options, const std::string& reference,
                         const SweepOutcome<PathStatistics>& outcome, double seconds);

}  // namespace upcast::tools
