// One generator of calls, for fuzzing and for properties. What is drawn follows from the op's
// catalogue row; a wish holds what differs between the two.
#pragma once

#include "cases/draw/elements.h"

namespace upcast {

/// What a call is to be. Numbers are percentages.
struct CallWish {
  Dims sizes{};                   // of the tensors
  DTypeSet dtypes{};              // of the tensors; empty: asked_dtypes
  int any_dtype = 0;              // of dtypes: any elementwise one instead
  int own_dtype = 0;              // of tensors: not the dtype of the others
  int numbers = 0;                // of tensors after the first: a wrapped number
  int first_numbers = 0;          // of the first tensor, unless it is written
  int zero_dims = 0;              // of tensors that are not written
  int undefined = 0;              // of tensors, in tenths of a percent
  int attributes = 0;             // of attributes with a default: a value
  bool plain_attributes = false;  // plain_values instead of attribute_values
  int any_number = 0;             // of Scalar attributes: any number
  int defaults = 0;               // a default dtype that is not float32
};

/// The dtypes that an op is asked with: those of its kernels, and what becomes floating.
DTypeSet asked_dtypes(const Op& op);

/// A call whose tensors have one shape, without elements of their own; an out= of that shape and of
/// their common dtype. A mask is bool; an optional argument is None now and then.
Case draw_call(Choices& choices, const FoundOp& callable, const CallWish& wish);

/// A value of one attribute; absent where it is left to its default.
Operand draw_attribute(Choices& choices, const Op& op, const Parameter& parameter,
                       const CallWish& wish);

/// A shape that broadcasts to these sizes: leading dimensions left out, others of size 1.
Dims draw_role(Choices& choices, Dims sizes);

/// A number of any category, whole and real ones more often than the others.
Number draw_number(Choices& choices);

/// What the tensors of a call hold.
struct ValueWish {
  int spelled = 0;  // percent of tensors whose elements the case spells out
  ElementWish elements{};
  std::vector<ValueClass> classes{ValueClass::kSmall};  // those of the others
  /// Avoids what takes an implementation years or ends its process: integral divisors are neither
  /// 0 nor -1, and an op that steps through an argument has small ones.
  bool safe = true;
};

/// The value class and seed of a case, and the elements of its tensors that own their storage.
/// Spelled-out ones of a loop count are small in any case.
void draw_values(Choices& choices, Case& c, const ValueWish& wish);

/// Makes a loop count (the degree of a polynomial) small enough for every side: a number, or
/// the elements of a tensor that owns its storage.
void draw_loop_count(Choices& choices, const Parameter& parameter, Operand& operand,
                     const ElementWish& wish);

}  // namespace upcast
