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

/// The columns of the blocks `first` to `end` - 1 of a run, from its shards.
RunColumns load_columns(const std::vector<const RunStore*>& stores, int64_t first, int64_t end);

/// The columns of a run, of which one part is in memory at a time. If cases are asked for in order,
/// each block is read once.
class ColumnsInParts {
 public:
  /// A part begins with the block of the case that is asked for, and has at least `cases` cases,
  /// unless the run ends before.
  explicit ColumnsInParts(const RunStore& store, int64_t cases = int64_t{1} << 20)
      : store_(store), cases_(cases) {}

  CaseBytes at(int64_t index) {
    if (index < part_.first || index >= part_.end()) load_part_of(index);
    return part_.at(index);
  }

 private:
  void load_part_of(int64_t index);

  const RunStore& store_;
  int64_t cases_;
  RunColumns part_;
};

}  // namespace upcast::reports
