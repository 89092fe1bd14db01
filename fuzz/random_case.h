// Random cases that the codec can hold, most of which reach a kernel.
#pragma once

#include "cases/draw/call.h"

namespace upcast::fuzz {

/// A call of any callable with operands that it mostly takes: every form, kind, layout, value class
/// and default dtype that the codec can hold.
Case random_case(Random& random);

/// As random_case, of one callable.
Case random_call(Random& random, const FoundOp& callable);
/// As that, with tensors that broadcast to a shape, but for a few.
Case random_call(Random& random, const FoundOp& callable, const Dims& master);

/// A dtype that the op has a kernel for, or that promotes to one; once in a while any.
DType random_dtype(Random& random, const Op& op);
/// A shape that others can broadcast with.
Dims random_master(Random& random);
/// A role of the master shape; now and then a shape that does not fit it.
Dims random_role(Random& random, const Dims& master);
/// Strides and offset.
void set_random_layout(Random& random, Operand& operand);
/// Spelled-out elements of a tensor, as many as the codec can hold.
void set_random_values(Random& random, Operand& operand);
/// What an attribute may be; absent where it has a default, now and then.
Operand random_attribute(Random& random, const Op& op, const Parameter& parameter);
/// The out operand of a case whose other operands are known.
void set_random_out(Random& random, Case& c);
/// Changes cases that waste time: a reduced loss is out of scope, and a side loops over the degree
/// of a polynomial.
void tame(Random& random, Case& c);

}  // namespace upcast::fuzz
