// Makes random cases that the codec can hold. Most of them reach a kernel.
#pragma once

#include "cases/draw/call.h"

namespace upcast::fuzz {

/// A random call of any callable, with operands that it mostly accepts: every form, kind, layout,
/// value class and default dtype that the codec can hold.
Case random_case(Random& random);

/// A random call of one callable. All else is drawn as for any callable.
Case random_call(Random& random, const FoundOp& callable);
/// A random case of one callable whose tensors broadcast to the shape `master`, except a few.
Case random_call(Random& random, const FoundOp& callable, const Dims& master);

/// A random dtype that the op has a kernel for, or that promotes to such a one. Now and then any
/// dtype.
DType random_dtype(Random& random, const Op& op);
/// A random master shape: the shape to which a case's tensors broadcast.
Dims random_master(Random& random);
/// A random shape that broadcasts to the master shape. Now and then one that does not.
Dims random_role(Random& random, const Dims& master);
/// Gives a tensor random strides and a random offset.
void set_random_layout(Random& random, Operand& operand);
/// Spells out random elements of a tensor, as many as the codec can hold.
void set_random_values(Random& random, Operand& operand);
/// A random value of an attribute. Now and then absent, if the attribute has a default.
Operand random_attribute(Random& random, const Op& op, const Parameter& parameter);
/// Sets the out operand of a case whose other operands are known.
void set_random_out(Random& random, Case& c);
/// Changes a case that would waste time: one with a reduced loss, which is out of scope, or one in
/// which a side would loop over the degree of a polynomial.
void tame(Random& random, Case& c);

}  // namespace upcast::fuzz
