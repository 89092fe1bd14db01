// The program properties.libtorch, which asks LibTorch about all properties.
#include "oracle/libtorch/promotion.h"
#include "oracle/libtorch/register.h"
#include "properties/property_tests.h"

namespace {

using upcast::Defaults;
using upcast::DType;
using upcast::TypedOperand;

class LibTorchPromotion : public upcast::properties::Promotion {
 public:
  std::optional<DType> promote_types(DType a, DType b) const override {
    return upcast::libtorch::promote_types(a, b);
  }
  std::optional<DType> result_type(std::span<const TypedOperand> operands,
                                   Defaults defaults) const override {
    return upcast::libtorch::result_type(operands, defaults);
  }
  std::optional<bool> can_cast(DType from, DType to) const override {
    return upcast::libtorch::can_cast(from, to);
  }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace upcast::properties;
  upcast::register_libtorch_subjects();
  return run_property_tests(argc, argv, []() -> TestPlan {
    return {.systems = {{"libtorch:cpu", std::make_shared<LibTorchPromotion>(),
                         upcast::make_subject("libtorch:cpu")}}};
  });
}
