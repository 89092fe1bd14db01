// Draws calls of the catalogue: the op, the dtypes, the attributes, and the layouts of operands.
#pragma once

#include "cases/layout.h"
#include "properties/generators.h"
#include "properties/omissions.h"

namespace upcast::properties {

enum class Layout : std::uint8_t {
  kContiguous,
  kPermuted,      // dense, with the dimensions in any order
  kGaps,          // with unused memory between the elements, and before them
  kExpanded,      // with stride 0 in some dimensions
  kChannelsLast,  // of four dimensions; tensors of other ranks stay contiguous
  kOverlapping,   // with strides of 0 to 2, so that elements share memory
  kOffset,        // contiguous, but after the start of the storage
  kAny
};

/// An overload of the catalogue that returns a tensor.
struct Callable {
  const Op* op;
  int overload;
  bool varied;  // OpSpec::has_layouts_of_interest, which half of the drawn calls have
};

/// What a drawn call must be: its form, and the callables that are left out.
struct LayoutWish {
  Form form = Form::kFunctional;
  std::span<const Omission> left_out = of_layouts();
};

/// Draws a call without an out=, whose tensors are contiguous and have one shape; most have one
/// dtype. Values are small. They are special instead if the op and all systems can take such
/// values.
Case draw_plain(Draw& draw, const LayoutWish& wish, const Dims& sizes);

/// Draws a shape of about 200 elements at most. Vectors have up to 70 elements.
Dims draw_shape(Draw& draw, int least_rank, int most_rank, bool with_empty = true);

/// Draws the strides of a dense tensor with its dimensions in random order.
Dims draw_dense_strides(Draw& draw, const Dims& sizes);
void lay_out(Draw& draw, Operand& operand, Layout layout);

/// Gives some inputs another shape that broadcasts, or another layout. The operand `kept`, which
/// the call writes, stays unchanged.
void broadcast_inputs(Draw& draw, Case& c, int kept = -1);
void lay_out_inputs(Draw& draw, Case& c, Layout layout, int kept = -1);

inline bool is_functional(const Case& c) { return c.form == Form::kFunctional; }
inline bool is_in_place(const Case& c) { return c.form == Form::kInPlace; }
inline bool is_out(const Case& c) { return c.form == Form::kOut; }
/// The position of the operand that a call in place or with out= writes.
inline int output_position(const Case& c) { return is_out(c) ? kOutPosition : written_position(c); }

/// The case in another form. In place it writes the operand at written_position(); with out= it
/// writes `out`.
Case in_form(const Case& c, Form form, Operand out = {});

}  // namespace upcast::properties
