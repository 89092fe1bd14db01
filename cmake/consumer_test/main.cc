#include <upcast/impl/promotion/promotion.h>

static_assert(upcast::promote_types(upcast::DType::kInt32, upcast::DType::kFloat32) ==
              upcast::DType::kFloat32);

int main() {
  return upcast::promote_types(upcast::DType::kUInt8, upcast::DType::kInt8) == upcast::DType::kInt16
             ? 0
             : 1;
}
