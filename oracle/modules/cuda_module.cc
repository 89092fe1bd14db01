// The module of impl:cuda.
#include <memory>
#include <string>
#include <string_view>

#include "impl/core/error.h"
#include "impl/cuda/cuda_engine.h"
#include "oracle/impl_subject.h"
#include "oracle/modules/module.h"

upcast::Subject* upcast_make_subject(const char* name) {
  using upcast::ImplSubject;
  if (std::string_view(name) != "impl:cuda") throw upcast::UsageError("impl:cuda has no settings");
  auto engine = std::make_unique<upcast::CudaEngine>();
  const std::string device = engine->description();
  return std::make_unique<ImplSubject>(std::move(engine),
                                       ImplSubject::Versions{{"impl", "cuda"}, {"device", device}},
                                       upcast::Device::kCuda)
      .release();
}
