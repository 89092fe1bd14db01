// The dispatch macros of ATen/Dispatch.h as data (LibTorch 2.15.0). They tell which macro covers
// exactly the dtypes for which an op has a kernel. ATen itself may list the same dtypes in another
// way.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "impl/core/device.h"
#include "impl/core/dtype_set.h"
#include "impl/ops/op_spec.h"

namespace upcast {

struct DispatchMacro {
  std::string_view name;     // the name, without the suffix that counts added dtypes
  DTypeSet dtypes;           // the dtypes that the macro covers without additions
  std::string_view and_one;  // suffix for one added dtype; for N dtypes it is _ANDN
  int most_added;
};

/// All dispatch macros, in an order in which later ones cover more dtypes.
std::span<const DispatchMacro> dispatch_macros();

/// The macro that covers a set of dtypes, such as "AT_DISPATCH_FLOATING_TYPES_AND2(kHalf,
/// kBFloat16)". It is AT_DISPATCH_V2 if no macro can add enough dtypes, and "" for an empty set.
std::string dispatch_macro(DTypeSet dtypes);

/// The common dtypes for which LibTorch has a kernel on this device. On a CPU they are
/// `spec.dtypes`.
DTypeSet kernel_dtypes(const OpSpec& spec, Device device);

}  // namespace upcast
