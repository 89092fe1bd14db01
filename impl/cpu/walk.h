// Walks the rows of a plan: where the operands stand at a position, and how far the row goes on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "impl/iterator/plan.h"

namespace upcast {

/// A position in a plan for up to Count of its operands. The row is the last dimension.
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

  /// Bytes between neighbours in the row.
  std::int64_t stride(int operand) const {
    return sizes_.empty() ? 0 : operands_[operand].strides.back();
  }
  std::byte* pointer(int operand) const { return rows_[operand] + column_ * stride(operand); }

  /// Goes on by n elements; n <= left_in_row().
  void advance(std::int64_t n) {
    column_ += n;
    if (column_ < row_) return;
    column_ = 0;
    for (std::size_t d = index_.size(); d-- > 0;) {
      const bool wraps = ++index_[d] == sizes_[d];
      for (std::size_t i = 0; i < operands_.size(); ++i)
        if (present(i)) rows_[i] += operands_[i].strides[d] * (wraps ? 1 - sizes_[d] : 1);
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
  Dims index_;  // of the row
  std::int64_t row_ = 1;
  std::int64_t column_ = 0;
  std::array<std::byte*, Count> rows_{};
};

}  // namespace upcast
