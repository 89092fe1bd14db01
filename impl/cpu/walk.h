// A Walk goes through the rows of a plan. It says where each operand's element lies, and how many
// elements follow in the row.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "impl/core/cast.h"
#include "impl/iterator/plan.h"

namespace upcast {

/// A position in a plan, for up to Count of its operands. A row is a run along the last dimension.
template <int Count>
class Walk {
 public:
  Walk(const Dims& sizes, std::span<const PlanOperand> operands, std::int64_t start)
      : sizes_(sizes), operands_(operands), index_(sizes.empty() ? 0 : sizes.size() - 1) {
    row_ = sizes.empty() ? 1 : sizes.back();
    column_ = start % row_;
    start /= row_;
    for (std::size_t d = index_.size(); d-- > 0;) {
      index_[d] = start % sizes[d];
      start /= sizes[d];
    }
    place_rows();
  }

  std::int64_t left_in_row() const { return row_ - column_; }

  /// Whether the position is inside a row, after its first element.
  bool in_a_row() const { return column_ != 0; }

  /// The next block of at most n elements: one or more whole rows, or a part of one row.
  Block block(std::int64_t n) const {
    if (column_ != 0 || n < row_ || index_.empty()) return {.columns = std::min(n, left_in_row())};
    const std::size_t last = index_.size() - 1;
    return {.columns = row_, .rows = std::min(n / row_, sizes_[last] - index_[last])};
  }

  /// An operand's strides in bytes, between neighbours in a row and between rows.
  BlockStrides strides(int operand) const {
    const Dims& strides = operands_[operand].strides;
    return {.column = sizes_.empty() ? 0 : strides.back(),
            .row = index_.empty() ? 0 : strides[index_.size() - 1]};
  }
  std::byte* pointer(int operand) const {
    return rows_[operand] + column_ * strides(operand).column;
  }

  /// Moves past a block that block() has returned.
  void advance(Block block) {
    column_ += block.columns;
    if (column_ < row_) return;
    column_ = 0;
    std::int64_t steps = block.rows;
    for (std::size_t d = index_.size(); d-- > 0; steps = 1) {
      index_[d] += steps;
      const bool wraps = index_[d] == sizes_[d];
      for (std::size_t i = 0; i < operands_.size(); ++i)
        if (present(i)) rows_[i] += operands_[i].strides[d] * (wraps ? steps - sizes_[d] : steps);
      if (!wraps) return;
      index_[d] = 0;
    }
  }

 private:
  bool present(std::size_t i) const { return operands_[i].dtype != DType::kUndefined; }

  void place_rows() {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      if (!present(i)) continue;
      rows_[i] = operands_[i].data;
      for (std::size_t d = 0; d < index_.size(); ++d)
        rows_[i] += index_[d] * operands_[i].strides[d];
    }
  }

  const Dims& sizes_;
  std::span<const PlanOperand> operands_;
  Dims index_;  // the current row's index in the outer dimensions
  std::int64_t row_ = 1;
  std::int64_t column_ = 0;
  std::array<std::byte*, Count> rows_{};
};

}  // namespace upcast
