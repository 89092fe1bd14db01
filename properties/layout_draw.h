// Draws calls of the catalogue: the op, the dtypes, the attributes, and the layouts of operands.
#pragma once

#include "cases/layout.h"
#include "properties/generators.h"
#include "properties/omissions.h"

namespace upcast::properties {

enum class Layout : std::uint8_t {
  kContiguous,
  kPermuted,      // dense, in any order of the dimensions
  kGaps,          // with memory between the elements, and before them
  kExpanded,      // stride 0 along some dimensions
  kChannelsLast,  // of four dimensions; others stay contiguous
  kOverlapping,   // strides of 0 to 2: elements share memory
  kOffset,        // begins after the start of the storage
  kAny
};

/// An overload of the catalogue that answers a tensor.
struct Callable {
  const Op* op;
  int overload;
  bool varied;  // OpSpec::has_layouts_of_interest: half of the examples call such an op
};

/// Wishes for a drawn call.
struct LayoutWish {
  Form form = Form::kFunctional;
  std::span<const Omission> left_out = of_layouts();
};

/// Draws a call whose tensors have one shape and are contiguous; most are of one dtype. An out= is
/// still missing. Values are small, or special if the op and all systems can take these.
Case draw_plain(Draw& draw, const LayoutWish& wish, const Dims& sizes);

/// Draws a shape of some 200 elements at most; vectors of up to 70.
Dims draw_shape(Draw& draw, int least_rank, int most_rank, bool with_empty = true);

/// Draws strides of a dense tensor, whose dimensions have a random order.
Dims draw_dense_strides(Draw& draw, const Dims& sizes);
void lay_out(Draw& draw, Operand& operand, Layout layout);

/// Gives some inputs a shape that broadcasts, and a layout. The operand `kept` (what a call writes)
/// stays.
void broadcast_inputs(Draw& draw, Case& c, int kept = -1);
void lay_out_inputs(Draw& draw, Case& c, Layout layout, int kept = -1);

inline bool is_functional(const Case& c) { return c.form == Form::kFunctional; }
inline bool is_in_place(const Case& c) { return c.form == Form::kInPlace; }
inline bool is_out(const Case& c) { return c.form == Form::kOut; }
/// The operand that a call in place or with out= writes.
inline int output_position(const Case& c) { return is_out(c) ? kOutPosition : written_position(c); }

/// The case in another form. In place it writes written_position(); an out= is `out`.
Case in_form(const Case& c, Form form, Operand out = {});

}  // namespace upcast::properties
