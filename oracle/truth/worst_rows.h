// Keeps the rows with the largest errors, of very many rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace upcast::truth {

/// The kKept rows with the largest `error`, largest first. Of rows with equal errors it keeps those
/// with the smallest `index`, in whatever order they are added.
template <class Row>
class WorstRows {
 public:
  static constexpr std::size_t kKept = 5;

  void add(const Row& row) {
    if (rows_.size() == kKept && !before(row, rows_.back())) return;
    rows_.insert(std::upper_bound(rows_.begin(), rows_.end(), row, before), row);
    if (rows_.size() > kKept) rows_.pop_back();
  }
  void merge(const WorstRows& other) {
    for (const Row& row : other.rows_) add(row);
  }
  const std::vector<Row>& rows() const { return rows_; }
  bool operator==(const WorstRows&) const = default;

 private:
  static bool before(const Row& a, const Row& b) {
    return a.error > b.error || (a.error == b.error && a.index < b.index);
  }

  std::vector<Row> rows_;
};

}  // namespace upcast::truth
