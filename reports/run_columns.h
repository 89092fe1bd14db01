// Loads the columns of a run into memory: a few bytes for every case.
#pragma once

#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// The columns of a run: each has a byte for each case of the plan. A case that is not stored has
/// the verdict kNotStored.
struct RunColumns {
  static constexpr uint8_t kNotStored = 255;
  std::vector<uint8_t> verdict, known, subject, oracle;
  std::vector<Ruling::Outcome> ruling;
};

/// The columns of a run, from its shards. 15 million cases take 75 MB.
RunColumns load_columns(const std::vector<const RunStore*>& stores);

}  // namespace upcast::reports
