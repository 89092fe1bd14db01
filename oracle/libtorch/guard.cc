#include "oracle/libtorch/guard.h"

#include <c10/core/AutogradState.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <sys/time.h>

#include <algorithm>
#include <csetjmp>
#include <csignal>

#include "impl/core/error.h"

namespace upcast::libtorch {
namespace {

/// What a signal handler can reach: it has no argument of ours.
struct Armed {
  sigjmp_buf back;
  volatile std::sig_atomic_t armed = 0;
  volatile std::sig_atomic_t ticks = 0;
  std::sig_atomic_t limit = 0;
  struct sigaction fpe_before;
  struct sigaction alarm_before;
  bool taken = false;
};
Armed state;

void on_trap(int signal) {
  if (!state.armed) {  // not in a guarded call: whoever was asked before
    sigaction(signal, &state.fpe_before, nullptr);
    return;
  }
  siglongjmp(state.back, static_cast<int>(Ending::kTrapped));
}

void on_tick(int) {
  if (!state.armed) return;
  state.ticks = state.ticks + 1;
  if (state.ticks >= state.limit) siglongjmp(state.back, static_cast<int>(Ending::kTimedOut));
}

void set_timer(double seconds) {
  const auto micros = static_cast<suseconds_t>(seconds * 1e6);
  const itimerval timer{{0, micros}, {0, micros}};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

}  // namespace

Guard::Guard(double seconds) {
  check(!state.taken, "one Guard a process");
  state.taken = true;
  state.limit = std::max(2, static_cast<int>(seconds / kTick));
  struct sigaction action {};
  action.sa_flags = SA_NODEFER;  // the handler is left by a jump
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_trap;
  sigaction(SIGFPE, &action, &state.fpe_before);
  action.sa_flags = SA_NODEFER | SA_RESTART;
  action.sa_handler = on_tick;
  sigaction(SIGVTALRM, &action, &state.alarm_before);
  set_timer(kTick);
}

Guard::~Guard() {
  set_timer(0);
  signal(SIGVTALRM, SIG_IGN);  // drops a tick that is still on its way
  sigaction(SIGFPE, &state.fpe_before, nullptr);
  sigaction(SIGVTALRM, &state.alarm_before, nullptr);
  state.taken = false;
}

Ending Guard::run(const std::function<void()>& call) {
  const c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
  const c10::AutogradState autograd = c10::AutogradState::get_tls_state();
  const caffe2::TypeMeta dtype = c10::get_default_dtype();
  const int jumped = sigsetjmp(state.back, 0);  // 0: masks are kept by SA_NODEFER
  if (jumped == 0) {
    state.ticks = 0;
    state.armed = 1;
    try {
      call();
    } catch (...) {
      state.armed = 0;
      throw;
    }
    state.armed = 0;
    return Ending::kReturned;
  }
  state.armed = 0;
  ++escapes_;
  c10::impl::_force_tls_local_dispatch_key_set(keys);
  c10::AutogradState::set_tls_state(autograd);
  c10::set_default_dtype(dtype);
  return static_cast<Ending>(jumped);
}

}  // namespace upcast::libtorch
