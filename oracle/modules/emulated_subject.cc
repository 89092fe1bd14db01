#include "oracle/modules/emulated_subject.h"

#include "impl/cuda/emulated/emulated_engine.h"
#include "oracle/impl_subject.h"

namespace upcast {

std::unique_ptr<Subject> make_emulated_subject(const Side& side) {
  return std::make_unique<ImplSubject>(
      std::make_unique<EmulatedEngine>(),
      ImplSubject::Versions{{"impl", "emulated"}, {"compiler", "g++ " __VERSION__}}, side.device);
}

void register_emulated_subject() { register_subject("impl:emulated", &make_emulated_subject); }

}  // namespace upcast
