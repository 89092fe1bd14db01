// Measures how far sides are from the truth.
#pragma once

#include <nlohmann/json.hpp>

#include "oracle/truth/ulp_statistics.h"
#include "tools/sweep/chunk_jobs.h"

namespace upcast::tools {

/// Computes every chunk of the plan by the truth, and compares each side with it.
SweepOutcome<truth::UlpStatistics> run_ulp_sweep(const SweepOptions& options,
                                                 const ShowProgress& show);

}  // namespace upcast::tools

namespace upcast::truth {

/// Writes statistics as files of chunks have them.
void to_json(nlohmann::json& json, const UlpStatistics& statistics);
void from_json(const nlohmann::json& json, UlpStatistics& statistics);

}  // namespace upcast::truth
