// Ops whose out= and in-place forms compute into a new tensor, and copy it to the output at the
// end.
#pragma once

#include <array>

#include "impl/ops/call.h"
#include "impl/promotion/can_cast.h"
#include "impl/tensor/overlap.h"

namespace upcast::internal {

/// A base of ops that compute into a new tensor if the output overlaps. The op itself checks no
/// overlap of `self` and the output; only the copy checks the output alone.
struct MadeApart {
  static bool composes(const Call& call) {
    const Tensor& self = call.argument("self").tensor;
    if (call.form == Form::kInPlace) return may_overlap_itself(self);
    if (call.form != Form::kOut || self.sizes != call.out->sizes) return false;
    return may_overlap_itself(*call.out) ||
           (self.storage && self.storage == call.out->storage && !is_same_tensor(self, *call.out));
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Outcome<CallResult> made = caller(call.schema->callable, call.arguments, call);
    if (!made.ok()) return made;
    const Tensor& output = call.form == Form::kInPlace ? call.argument("self").tensor : *call.out;
    if (!can_cast(made.value().tensor.dtype, output.dtype))
      return Rejection{RejectionCode::kResultCast, "the result cannot be cast to the output"};
    const std::array<Argument, 2> arguments{
        Argument{.tag = Argument::Tag::kTensor, .tensor = output},
        Argument{.tag = Argument::Tag::kTensor, .tensor = made.value().tensor}};
    return caller("copy_", arguments, call);
  }
};

}  // namespace upcast::internal
