// Loads the columns of a run into memory: a few bytes for every case.
#pragma once

#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// The verdict of a case that is not stored.
inline constexpr uint8_t kNotStored = 255;

/// The bytes that the columns have for one case.
struct CaseBytes {
  uint8_t verdict = kNotStored;
  uint8_t known = 0;
  AnswerByte subject = kNotRunByte, oracle = kNotRunByte;
  Ruling::Outcome ruling = Ruling::Outcome::kNotAsked;
};

/// Columns of consecutive cases of a run: each has a byte for each of these cases. A case that is
/// not stored has the verdict kNotStored.
struct RunColumns {
  int64_t first = 0;  // the number of the first case
  std::vector<uint8_t> verdict, known, subject, oracle;
  std::vector<Ruling::Outcome> ruling;

  /// The number of the last case plus one.
  int64_t end() const { return first + static_cast<int64_t>(verdict.size()); }
  CaseBytes at(int64_t index) const {
    const auto i = static_cast<size_t>(index - first);
    return {verdict[i], known[i], subject[i], oracle[i], ruling[i]};
  }
};

/// The columns of all cases of a run, from its shards. 15 million cases take 75 MB.
RunColumns load_columns(const std::vector<const RunStore*>& stores);

/// The columns of the blocks `first` to `end` - 1.
RunColumns load_columns(const std::vector<const RunStore*>& stores, int64_t first, int64_t end);

}  // namespace upcast::reports
