// What checks of shapes, layouts and memory share: the same case in other layouts, and the mistakes
// of an implementation that ignores them.
#pragma once

#include "properties/checks.h"
#include "properties/layout_draw.h"

namespace upcast::properties {

/// impl:cpu's answer: what a control answers to another case than it was asked.
Answer our_answer(const Case& c);

/// Each tensor argument contiguous, in storage of its own, with its elements spelled out: those
/// that memory holds where elements share it. An out= stays as it is, but shares no storage.
Case dense(const Case& c);

/// Each operand in storage of its own, lying as it did.
Case unshared(const Case& c);

/// A tensor argument in another shape over the same elements: sizes and strides as given, from its
/// own first element on, spelled out. Precondition: it shares with none.
Operand viewed_as(const Case& c, int position, const Dims& sizes, const Dims& strides);

/// The case as read without layouts: each tensor argument from the start of its storage on.
Case misread(const Case& c);

inline bool refused(const Answer& answer) { return answer.tag == Answer::Tag::kRefusal; }

/// As require_same, of all results, with the strides of neither.
void require_all_same(const std::string& what, const Answer& a, const Answer& b);

/// The elements of an answer, as bytes each.
std::vector<std::vector<std::byte>> elements_of(const Answer& answer);

/// RC_FAILs where an answer does not hold these elements.
void require_elements(const std::string& what, const Answer& answer,
                      const std::vector<std::vector<std::byte>>& expected);

/// Calls f(index) for each index of a shape, in row-major order.
template <class F>
void for_each_index(const Dims& sizes, F f) {
  Dims index(sizes.size(), 0);
  for (std::int64_t left = numel(sizes); left > 0; --left) {
    f(index);
    for (std::size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}

/// Where each element lies, in elements from the first one on, in row-major order.
std::vector<std::int64_t> positions_of(const Dims& sizes, const Dims& strides);
/// 0, 1, 2, ... in this order; each of them once.
bool counts_up(const std::vector<std::int64_t>& positions);
bool fills(std::vector<std::int64_t> positions);
/// The strides of an operand, spelled out.
Dims strides_of(const Operand& operand);

/// Strides that say the same: those of sizes of 1, and of empty tensors, do not count.
bool same_strides(const Dims& sizes, const Dims& a, const Dims& b);

/// Whether the answers may depend on the number of dimensions: memory_format=channels_last.
inline bool names_a_format(const Case& c) {
  return c.op->spec->layout == ResultLayout::kMemoryFormat;
}

/// Whether the op's result lies as TensorIterator has it, and no composition makes it.
bool follows_iterator(const Case& c);

/// Excludes quotients of float16 and bfloat16 that are rounded to whole numbers, and products of
/// float8, for LibTorch's kernels for a second operand that is one element: a stride of 0, a
/// number.
Exclusion scalar_divisors(std::string_view counterexample);
Exclusion scalar_factors(std::string_view counterexample);

/// Excludes products of float16 and bfloat16 with another dtype.
Exclusion unrounded_factors(std::string_view counterexample);

/// Excludes prelu, whose weight is no operand that is broadcast.
Exclusion channels(std::string_view counterexample);

std::string to_text(const Dims& dims);

/// Excludes ops whose vector code in LibTorch answers otherwise than its scalar code, with a case
/// line that breaks the property.
Exclusion two_paths(std::string_view counterexample);
// Controls: functions that spoil our answers.

void ignore_layouts(const Case& c, Answer& answer);     // misread
void answer_contiguous(const Case& c, Answer& answer);  // contiguous strides
void refuse(Answer& answer);

}  // namespace upcast::properties
