// A pattern of one operand: what a selector says about it.
#pragma once

#include <cstdint>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"
#include "impl/core/dtype_set.h"

namespace upcast {

class OperandPattern {
 public:
  /// Reads a pattern such as `*`, `floating[*]`, `number:int` or `{None,"trunc"}`; see
  /// cases/selector.h.
  static OperandPattern parse(TextCursor& cursor);

  bool matches(const Operand& operand) const;

 private:
  enum class Tag : std::uint8_t { kAnything, kTensor, kNumber, kDType, kLiterals };
  enum class Shape : std::uint8_t { kDim, kZeroDim, kEither, kSizes };

  void parse_shape(TextCursor& cursor);

  Tag tag_ = Tag::kAnything;
  DTypeSet dtypes_;  // the allowed dtypes, or the allowed kinds of a number
  Shape shape_ = Shape::kEither;
  Dims sizes_;
  std::vector<Operand> literals_;
};

/// Reads a set of dtypes: `*`, a dtype, a named set, or `{..}` of them.
DTypeSet parse_dtype_set(TextCursor& cursor);

}  // namespace upcast
