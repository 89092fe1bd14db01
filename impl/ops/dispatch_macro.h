// The dispatch macros of ATen/Dispatch.h as data (LibTorch 2.15.0). They tell which macro covers
// exactly the dtypes that an op has a kernel for. ATen may spell the same set in another way.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "impl/core/device.h"
#include "impl/core/dtype_set.h"
#include "impl/ops/op_spec.h"

namespace upcast {

struct DispatchMacro {
  std::string_view name;     // its name without the suffix that says how many dtypes are added
  DTypeSet dtypes;           // the dtypes that it covers by itself
  std::string_view and_one;  // its suffix with one dtype more; with N more it is _ANDN
  int most_added;
};

/// All dispatch macros. A later one covers more dtypes.
std::span<const DispatchMacro> dispatch_macros();

/// The macro for a set of dtypes, as "AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16)".
/// AT_DISPATCH_V2 if no macro adds so many; "" for no dtype.
std::string dispatch_macro(DTypeSet dtypes);

/// The common dtypes that LibTorch has a kernel for: `spec.dtypes` on a CPU.
DTypeSet kernel_dtypes(const OpSpec& spec, Device device);

}  // namespace upcast
