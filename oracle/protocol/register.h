// The subjects of this folder.
#pragma once

#include "oracle/protocol/process_subject.h"
#include "oracle/protocol/python_subject.h"

namespace upcast::protocol {

inline void register_process_subjects() {
  register_subject("process:", &make_process_subject);
  register_subject("python:", &make_python_subject);
}

}  // namespace upcast::protocol
