// Helpers of checks of shapes, layouts and memory: the same case in other layouts, and the mistakes
// of an implementation that ignores layouts.
#pragma once

#include "properties/checks.h"
#include "properties/layout_draw.h"

namespace upcast::properties {

/// The answer of impl:cpu. Controls use it to give the answer of another case than the one asked.
Answer our_answer(const Case& c);

/// The case with contiguous tensor arguments, each in storage of its own and with its elements
/// given as values. If elements share memory, all have the value that memory holds. An out= keeps
/// its layout, but shares no storage.
Case dense(const Case& c);

/// The case with each operand in storage of its own. Layouts stay as they are.
Case unshared(const Case& c);

/// The tensor argument at `position` as a view of its own elements, with these sizes and strides,
/// from its first element on. Its elements are given as values. It must not share storage.
Operand viewed_as(const Case& c, int position, const Dims& sizes, const Dims& strides);

/// The case as an implementation would read it that ignores layouts: each tensor's elements are
/// those from the start of its storage on.
Case misread(const Case& c);

inline bool refused(const Answer& answer) { return answer.tag == Answer::Tag::kRefusal; }

/// Requires that all results of two answers are the same, as require_same() does. Strides are not
/// compared.
void require_all_same(const std::string& what, const Answer& a, const Answer& b);

/// The elements of an answer, each as its bytes.
std::vector<std::vector<std::byte>> elements_of(const Answer& answer);

/// Fails (RC_FAIL) if the elements of an answer are not the expected ones.
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

/// Where each element lies, in row-major order, counted in elements from the first one.
std::vector<std::int64_t> positions_of(const Dims& sizes, const Dims& strides);
/// counts_up: whether positions are 0, 1, 2, ... in this order. fills: whether they are in some
/// order, each once.
bool counts_up(const std::vector<std::int64_t>& positions);
bool fills(std::vector<std::int64_t> positions);
/// The strides of an operand, also if the case leaves them out.
Dims strides_of(const Operand& operand);

/// Whether strides mean the same layout. Strides of dimensions of size 1, and of empty tensors,
/// have no meaning.
bool same_strides(const Dims& sizes, const Dims& a, const Dims& b);

/// Whether the call has memory_format=channels_last, so that its answer may depend on the number of
/// dimensions.
inline bool names_a_format(const Case& c) {
  return c.op->spec->layout == ResultLayout::kMemoryFormat;
}

/// Whether the op's result gets its layout from TensorIterator, and not from a composition.
bool follows_iterator(const Case& c);

/// Exclusions for LibTorch's kernels that take a second operand of one element as a number (a
/// number, or a stride of 0). scalar_divisors: quotients of float16 and bfloat16 that are rounded
/// to whole numbers. scalar_factors: products of float8.
Exclusion scalar_divisors(std::string_view counterexample);
Exclusion scalar_factors(std::string_view counterexample);

/// Excludes products of float16 or bfloat16 with another dtype, whose factors LibTorch does not
/// round.
Exclusion unrounded_factors(std::string_view counterexample);

/// Excludes prelu, because its weight is not broadcast like an operand.
Exclusion channels(std::string_view counterexample);

std::string to_text(const Dims& dims);

/// Excludes ops for which LibTorch's vector code and scalar code give different results. The
/// counterexample is a case line that breaks the property.
Exclusion two_paths(std::string_view counterexample);
// Controls: functions that spoil the answers of our implementation.

void ignore_layouts(const Case& c, Answer& answer);     // misread
void answer_contiguous(const Case& c, Answer& answer);  // contiguous strides
void refuse(Answer& answer);

}  // namespace upcast::properties
