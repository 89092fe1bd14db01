// Draws random numbers and elements of tensors.
#pragma once

#include <span>
#include <vector>

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast {

/// Which elements are drawn: shares in percent. Elements beyond these shares have random bits. A
/// bool is True or False.
struct ElementWish {
  int special = 15;   // elements of special_elements
  int extreme = 25;   // zeros, ones, ends of the range, the least subnormal, infinities, NaN
  int small = 15;     // whole numbers from -4 to 4
  int real = 25;      // any magnitude (floating, complex), any bits (other dtypes)
  int disturbed = 0;  // share of `special` that is changed: next code, a bit, sign
  /// How many elements of a dtype are drawn at most; the others repeat them. Null: each one is
  /// drawn.
  int (*distinct)(DType dtype) = nullptr;
};

/// Draws `count` elements of a dtype.
std::vector<std::byte> draw_elements(Choices& choices, DType dtype, std::int64_t count,
                                     const ElementWish& wish = {});

/// Draws `count` elements that are whole numbers from `first` to `last`; `wish` says how many are
/// distinct.
std::vector<std::byte> draw_whole_elements(Choices& choices, DType dtype, std::int64_t count,
                                           int first, int last, const ElementWish& wish = {});

/// Draws a number of a category: a small one, a special one, a limit of a dtype, or any whole one.
Number draw_number(Choices& choices, Category category);

/// Whether an element of an integral dtype, or of bool, is 0 or -1 (an unsigned one: 0 or the
/// greatest). LibTorch refuses to divide by 0, and dies where the least integer is divided by -1.
bool is_zero_or_minus_one(std::span<const std::byte> element);
/// Replaces 0 and -1 among the spelled-out elements of an integral tensor by 2 to 5, and False by
/// True.
void make_divisors(Choices& choices, Operand& tensor);

}  // namespace upcast
