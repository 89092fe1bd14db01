#include "oracle/truth/ball.h"

#include <arb_hypgeom.h>

namespace upcast::truth {

Ball erf(const Ball& x) { return of<arb_hypgeom_erf>(x); }
Ball erfc(const Ball& x) { return of<arb_hypgeom_erfc>(x); }

Ball pi(const Ball& like) {
  Ball result(like.precision());
  arb_const_pi(result.get(), like.precision());
  return result;
}

Ball log_of_2(const Ball& like) {
  Ball result(like.precision());
  arb_const_log2(result.get(), like.precision());
  return result;
}

}  // namespace upcast::truth
