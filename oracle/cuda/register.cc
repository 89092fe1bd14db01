#include "oracle/cuda/register.h"

#include "impl/core/error.h"
#include "impl/cuda/cuda_engine.h"
#include "oracle/impl_subject.h"

namespace upcast {

void register_cuda_subject() {
  register_subject("impl:cuda", [](std::string_view name) -> std::unique_ptr<Subject> {
    if (name != "impl:cuda") throw UsageError("impl:cuda has no settings");
    auto engine = std::make_unique<CudaEngine>();
    const std::string device = engine->description();
    return std::make_unique<ImplSubject>(
        std::move(engine), ImplSubject::Versions{{"impl", "cuda"}, {"device", device}},
        Device::kCuda);
  });
}

}  // namespace upcast
