// The module of impl:cuda.
#include <memory>
#include <string>

#include "impl/cuda/cuda_engine.h"
#include "oracle/impl_subject.h"
#include "oracle/modules/module.h"

upcast::Subject* upcast_make_subject(const char*) {
  using upcast::ImplSubject;
  auto engine = std::make_unique<upcast::CudaEngine>();
  const std::string device = engine->description();
  return std::make_unique<ImplSubject>(std::move(engine),
                                       ImplSubject::Versions{{"impl", "cuda"}, {"device", device}},
                                       upcast::Device::kCuda)
      .release();
}
