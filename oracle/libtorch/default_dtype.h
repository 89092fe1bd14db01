// Sets LibTorch's default dtype for the length of a scope. Includes LibTorch: for the source files
// of this folder only.
#pragma once

#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarTypeToTypeMeta.h>

#include "oracle/libtorch/convert.h"

namespace upcast::libtorch {

/// Sets LibTorch's default dtype, and sets it back when it goes out of scope.
class DefaultDTypeScope {
 public:
  explicit DefaultDTypeScope(DType dtype) : before_(c10::get_default_dtype_as_scalartype()) {
    const c10::ScalarType wanted = to_c10(dtype);
    changed_ = wanted != before_;
    if (changed_) c10::set_default_dtype(c10::scalarTypeToTypeMeta(wanted));
  }
  ~DefaultDTypeScope() {
    if (changed_) c10::set_default_dtype(c10::scalarTypeToTypeMeta(before_));
  }
  DefaultDTypeScope(const DefaultDTypeScope&) = delete;
  DefaultDTypeScope& operator=(const DefaultDTypeScope&) = delete;

 private:
  c10::ScalarType before_;
  bool changed_;
};

}  // namespace upcast::libtorch
