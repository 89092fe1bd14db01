// The module of impl:emulated.
#include "oracle/modules/emulated_subject.h"
#include "oracle/modules/module.h"

upcast::Subject* upcast_make_subject(const char* name) {
  return upcast::make_emulated_subject(upcast::parse_side(name)).release();
}
