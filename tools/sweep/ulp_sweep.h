// Measures how far the results of sides are from the truth, over every input of a sweep.
#pragma once

#include <nlohmann/json.hpp>

#include "oracle/truth/ulp_statistics.h"
#include "tools/sweep/chunk_jobs.h"

namespace upcast::tools {

/// Runs a sweep against the truth: computes the exact values of every chunk, and measures how far
/// each side is from them.
SweepOutcome<truth::UlpStatistics> run_ulp_sweep(const SweepOptions& options,
                                                 const ShowProgress& show);

}  // namespace upcast::tools

namespace upcast::truth {

/// Writes statistics as a sweep's file keeps them, and reads them back.
void to_json(nlohmann::json& json, const UlpStatistics& statistics);
void from_json(const nlohmann::json& json, UlpStatistics& statistics);

}  // namespace upcast::truth
