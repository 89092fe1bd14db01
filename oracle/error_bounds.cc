#include "oracle/error_bounds.h"

#include <algorithm>

namespace upcast {
namespace {

const Bounds& bounds_of(const Accuracy& accuracy, DType dtype) {
  return dtype == DType::kFloat64      ? accuracy.float64
         : dtype == DType::kFloat32    ? accuracy.float32
         : dtype == DType::kComplex128 ? accuracy.complex128
         : dtype == DType::kComplex64  ? accuracy.complex64
                                       : accuracy.reduced;
}

}  // namespace

double error_bound(const Accuracy& accuracy, DType dtype, Implementation side) {
  const Bounds& bounds = bounds_of(accuracy, dtype);
  switch (side) {
    case Implementation::kOurs:
      return bounds.ours;
    case Implementation::kLibTorch:
      return bounds.libtorch;
    case Implementation::kLibTorchNative:
      return std::max(bounds.libtorch, bounds.native);
    case Implementation::kTruth:
      return bounds.ours == 0 ? 0 : kCorrectRounding;
    case Implementation::kForeign:
      return std::max(bounds.ours, bounds.libtorch);
  }
  return 0;
}

double accuracy_bound(const Case& c, DType dtype, Implementation side) {
  return std::max(kCorrectRounding, error_bound(c.op->spec->accuracy, dtype, side));
}

double error_scale(const Accuracy& accuracy, Sides sides) {
  if (sides.subject == Implementation::kTruth || sides.oracle == Implementation::kTruth) return 0;
  const bool vectors = sides.subject == Implementation::kLibTorchNative ||
                       sides.oracle == Implementation::kLibTorchNative;
  return vectors ? std::max(accuracy.scale, accuracy.native_scale) : accuracy.scale;
}

}  // namespace upcast
