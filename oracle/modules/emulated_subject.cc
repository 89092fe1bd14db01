#include "oracle/modules/emulated_subject.h"

#include <string>

#include "impl/core/error.h"
#include "impl/cuda/emulated/emulated_engine.h"
#include "oracle/impl_subject.h"

namespace upcast {

std::unique_ptr<Subject> make_emulated_subject(std::string_view name) {
  const bool is_gpu = name == "impl:emulated?device=cuda";
  if (!is_gpu && name != "impl:emulated")
    throw UsageError("the setting of impl:emulated is device=cuda, not '" + std::string(name) +
                     "'");
  return std::make_unique<ImplSubject>(
      std::make_unique<EmulatedEngine>(),
      ImplSubject::Versions{{"impl", "emulated"}, {"compiler", "g++ " __VERSION__}},
      is_gpu ? Device::kCuda : Device::kCpu);
}

void register_emulated_subject() { register_subject("impl:emulated", &make_emulated_subject); }

}  // namespace upcast
