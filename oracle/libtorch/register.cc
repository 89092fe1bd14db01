#include "oracle/libtorch/register.h"

#include "oracle/libtorch/libtorch_subject.h"

namespace upcast {

void register_libtorch_subjects() {
  const SubjectFactory make = [](const Side& side) -> std::unique_ptr<Subject> {
    return std::make_unique<LibTorchSubject>(side);
  };
  register_subject("libtorch:cpu", make);
  register_subject("libtorch:meta", make);
  register_subject("libtorch:cuda", make);
}

}  // namespace upcast
