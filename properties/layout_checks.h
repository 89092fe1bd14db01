// Shared by checks of shapes, layouts and memory: the same case in other layouts, and the mistakes
// of an implementation that ignores layouts.
#pragma once

#include "properties/checks.h"
#include "properties/layout_draw.h"

namespace upcast::properties {

/// The answer of impl:cpu. A control answers with it to another case than it was asked.
Answer our_answer(const Case& c);

/// The case with each tensor argument contiguous, in storage of its own, with its elements spelled
/// out; where elements share memory, those that memory holds. An out= stays as it is, but shares no
/// storage.
Case dense(const Case& c);

/// The case with each operand in storage of its own, in its layout.
Case unshared(const Case& c);

/// A tensor argument in another shape over the same elements: sizes and strides as given, from its
/// own first element on, spelled out. Precondition: it shares with none.
Operand viewed_as(const Case& c, int position, const Dims& sizes, const Dims& strides);

/// The case as it would be read without layouts: each tensor argument from the start of its storage
/// on.
Case misread(const Case& c);

inline bool refused(const Answer& answer) { return answer.tag == Answer::Tag::kRefusal; }

/// As require_same, for all results; strides are not compared.
void require_all_same(const std::string& what, const Answer& a, const Answer& b);

/// The elements of an answer; each as bytes.
std::vector<std::vector<std::byte>> elements_of(const Answer& answer);

/// Fails (RC_FAIL) if an answer does not hold these elements.
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

/// The positions of the elements, in row-major order, counted in elements from the first one.
std::vector<std::int64_t> positions_of(const Dims& sizes, const Dims& strides);
/// Whether positions are 0, 1, 2, ... in this order, each once.
bool counts_up(const std::vector<std::int64_t>& positions);
bool fills(std::vector<std::int64_t> positions);
/// The strides of an operand, spelled out.
Dims strides_of(const Operand& operand);

/// Whether strides say the same. Those of sizes of 1, and of empty tensors, do not count.
bool same_strides(const Dims& sizes, const Dims& a, const Dims& b);

/// Whether the answers may depend on the number of dimensions: the call has
/// memory_format=channels_last.
inline bool names_a_format(const Case& c) {
  return c.op->spec->layout == ResultLayout::kMemoryFormat;
}

/// Whether the op's result has the layout that TensorIterator gives it, and no composition makes
/// it.
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
