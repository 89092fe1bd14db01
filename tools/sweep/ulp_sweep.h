// How far sides lie from the truth.
#pragma once

#include <nlohmann/json.hpp>

#include "oracle/truth/ulp_statistics.h"
#include "tools/sweep/chunk_jobs.h"

namespace upcast::tools {

/// Every chunk of the plan by the truth, and by each side beside it.
SweepOutcome<truth::UlpStatistics> run_ulp_sweep(const SweepOptions& options,
                                                 const ShowProgress& show);

nlohmann::json statistics_json(const truth::UlpStatistics& statistics);
truth::UlpStatistics read_ulp_statistics(const nlohmann::json& json);

}  // namespace upcast::tools
