// Random cases that the codec can hold, most of which reach a kernel.
#pragma once

#include "cases/draw/call.h"

namespace upcast::fuzz {

/// A random call of any callable, with operands that it mostly accepts: every form, kind, layout,
/// value class and default dtype that the codec can hold.
Case random_case(Random& random);

/// As random_case, for one callable.
Case random_call(Random& random, const FoundOp& callable);
/// As above, with tensors that broadcast to a shape, except a few.
Case random_call(Random& random, const FoundOp& callable, const Dims& master);

/// A dtype that the op has a kernel for, or that promotes to one; now and then any dtype.
DType random_dtype(Random& random, const Op& op);
/// A shape that others can broadcast with.
Dims random_master(Random& random);
/// A shape that broadcasts to the master shape; now and then one that does not.
Dims random_role(Random& random, const Dims& master);
/// Strides and offset.
void set_random_layout(Random& random, Operand& operand);
/// Spells out elements of a tensor, as many as the codec can hold.
void set_random_values(Random& random, Operand& operand);
/// A random value of an attribute; now and then absent, if it has a default.
Operand random_attribute(Random& random, const Op& op, const Parameter& parameter);
/// Sets the out operand of a case whose other operands are known.
void set_random_out(Random& random, Case& c);
/// Changes cases that waste time: a reduced loss is out of scope, and a side loops over the degree
/// of a polynomial.
void tame(Random& random, Case& c);

}  // namespace upcast::fuzz
