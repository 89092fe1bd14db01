// Draws calls, for fuzzing and for properties. The op's catalogue row says what can be drawn; a
// wish says how often.
#pragma once

#include "cases/draw/elements.h"

namespace upcast {

/// Wishes for a drawn call. Numbers are percentages, except `undefined`.
struct CallWish {
  Dims sizes{};                   // sizes of the tensors
  DTypeSet dtypes{};              // dtypes of the tensors; empty: asked_dtypes
  int any_dtype = 0;              // percentage of dtypes that are any elementwise one
  int own_dtype = 0;              // percentage of tensors with a dtype of their own
  int numbers = 0;                // percentage of wrapped numbers for tensors after the first
  int first_numbers = 0;          // percentage of wrapped numbers for a first, unwritten tensor
  int zero_dims = 0;              // percentage of unwritten tensors that are zero-dim
  int undefined = 0;              // tenths of a percent of tensors that are undefined
  int attributes = 0;             // percentage of attributes with a default that get a value
  bool plain_attributes = false;  // whether values are plain_values, not attribute_values
  int any_number = 0;             // percentage of Scalar attributes that are any number
  int defaults = 0;               // percentage of default dtypes other than float32
};

/// The dtypes that an op's operands are drawn from: those of its kernels, and those that promotion
/// turns into floating ones.
DTypeSet asked_dtypes(const Op& op);

/// Draws a call whose tensors have one shape, and no elements of their own. An out= has that shape
/// and their common dtype. A mask is bool; an optional argument is None now and then.
Case draw_call(Choices& choices, const FoundOp& callable, const CallWish& wish);

/// Draws a value of one attribute. Absent if the attribute is left to its default.
Operand draw_attribute(Choices& choices, const Op& op, const Parameter& parameter,
                       const CallWish& wish);

/// Draws a shape that broadcasts to `sizes`: some leading dimensions are left out, other dimensions
/// have size 1.
Dims draw_role(Choices& choices, Dims sizes);

/// Draws a number of any category; whole and real ones are more frequent.
Number draw_number(Choices& choices);

/// Wishes for the elements of a call's tensors.
struct ValueWish {
  int spelled = 0;  // percentage of tensors whose elements the case spells out
  ElementWish elements{};
  /// Value classes to draw from, for tensors whose elements the case does not spell out.
  std::vector<ValueClass> classes{ValueClass::kSmall};
  /// Whether to avoid what takes an implementation years or ends its process. Integral divisors are
  /// then neither 0 nor -1, and an op that steps through an argument has small ones.
  bool safe = true;
};

/// Draws the value class and seed of a case, and the elements of its tensors that own their
/// storage. Spelled-out elements of a loop count are always small.
void draw_values(Choices& choices, Case& c, const ValueWish& wish);

/// Makes a loop count (the degree of a polynomial) small enough for every side. It is a number, or
/// the elements of a tensor that owns its storage.
void draw_loop_count(Choices& choices, const Parameter& parameter, Operand& operand,
                     const ElementWish& wish);

}  // namespace upcast
