#include "impl/iterator/compute_shape.h"

namespace upcast {

Outcome<Dims> compute_shape(std::span<const Dims* const> shapes) {
  Dims merged;
  for (const Dims* shape : shapes) {
    if (shape->size() > merged.size())
      merged.insert(merged.begin(), shape->size() - merged.size(), 1);
    for (std::size_t i = 0; i < shape->size(); ++i) {
      std::int64_t& size = merged[merged.size() - 1 - i];
      const std::int64_t other = (*shape)[shape->size() - 1 - i];
      if (size == 1)
        size = other;
      else if (other != 1 && other != size)
        return Rejection{RejectionCode::kShapeMismatch,
                         "sizes differ at a dimension where neither is 1"};
    }
  }
  return merged;
}

Dims broadcast_strides(const Tensor& tensor, const Dims& shape) {
  Dims strides(shape.size(), 0);
  const std::size_t missing = shape.size() - tensor.sizes.size();
  for (std::size_t d = 0; d < tensor.sizes.size(); ++d)
    if (tensor.sizes[d] != 1 || shape[missing + d] == 1) strides[missing + d] = tensor.strides[d];
  return strides;
}

}  // namespace upcast
