// Writes the results of a sweep, as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>

#include "oracle/truth/ulp_statistics.h"
#include "tools/sweep/chunk_jobs.h"
#include "tools/sweep/path_statistics.h"

namespace upcast::tools {

/// `sides`: maximum, mean, histogram, worst inputs.
nlohmann::json outcome_json(const SweepOptions& options,
                            const SweepOutcome<truth::UlpStatistics>& outcome, double seconds);
/// `paths`: how many inputs differ, how far at most, first and worst ones. `reference`: the name of
/// the path that the others are compared with.
nlohmann::json outcome_json(const SweepOptions& options, const std::string& reference,
                            const SweepOutcome<PathStatistics>& outcome, double seconds);

/// The results as text, a line for each side.
std::string outcome_text(const SweepOptions& options,
                         const SweepOutcome<truth::UlpStatistics>& outcome, double seconds);
std::string outcome_text(const SweepOptions& options, const std::string& reference,
                         const SweepOutcome<PathStatistics>& outcome, double seconds);

}  // namespace upcast::tools
