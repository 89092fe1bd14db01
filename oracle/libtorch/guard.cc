#include "oracle/libtorch/guard.h"

#include <c10/core/AutogradState.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <dlfcn.h>
#include <link.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>

#include "impl/core/error.h"

namespace upcast::libtorch {
namespace {

/// The guard's state. It is global, because no argument can be passed to a signal handler.
struct Armed {
  sigjmp_buf back;
  volatile std::sig_atomic_t armed = 0;
  volatile std::sig_atomic_t ticks = 0;
  std::sig_atomic_t limit = 0;
  struct sigaction fpe_before;
  struct sigaction alarm_before;
  std::uintptr_t libc_begin = 0, libc_end = 0;  // where the C library lies in memory
  bool taken = false;
};
Armed state;

/// Finds the addresses between which the library that holds `function` is loaded.
void find_library(const void* function, std::uintptr_t& begin, std::uintptr_t& end) {
  struct Search {
    const void* base;
    std::uintptr_t begin = 0, end = 0;
  };
  Dl_info info{};
  if (dladdr(function, &info) == 0) return;
  Search search{info.dli_fbase};
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (int i = 0; i < library->dlpi_phnum; ++i) {
          const auto& part = library->dlpi_phdr[i];
          const std::uintptr_t at = library->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD ||
              library->dlpi_addr != reinterpret_cast<std::uintptr_t>(wanted.base))
            continue;
          if (wanted.begin == 0) wanted.begin = at;
          wanted.end = at + part.p_memsz;
        }
        return 0;
      },
      &search);
  begin = search.begin;
  end = search.end;
}

/// Whether the signal interrupted the C library. malloc may then hold its lock, which would never
/// be released after a jump.
bool in_libc([[maybe_unused]] const void* context) {
#ifdef __x86_64__
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const auto at = static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
  return at >= state.libc_begin && at < state.libc_end;
#else
  return false;
#endif
}

void on_trap(int signal) {
  if (!state.armed) {  // a trap outside of a guarded call: the handler set before shall get it
    sigaction(signal, &state.fpe_before, nullptr);
    return;
  }
  siglongjmp(state.back, static_cast<int>(Ending::kTrapped));
}

void on_tick(int, siginfo_t*, void* context) {
  if (!state.armed) return;
  state.ticks = state.ticks + 1;
  if (state.ticks >= state.limit && !in_libc(context))
    siglongjmp(state.back, static_cast<int>(Ending::kTimedOut));
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
  action.sa_flags = SA_NODEFER;  // does not block the signal, because the handler is left by a jump
  sigemptyset(&action.sa_mask);
  action.sa_handler = on_trap;
  sigaction(SIGFPE, &action, &state.fpe_before);
  find_library(reinterpret_cast<const void*>(&malloc), state.libc_begin, state.libc_end);
  action.sa_flags = SA_NODEFER | SA_RESTART | SA_SIGINFO;
  action.sa_sigaction = on_tick;
  sigaction(SIGVTALRM, &action, &state.alarm_before);
  set_timer(kTick);
}

Guard::~Guard() {
  set_timer(0);
  signal(SIGVTALRM, SIG_IGN);  // ignores a tick of the timer that is still on its way
  sigaction(SIGFPE, &state.fpe_before, nullptr);
  sigaction(SIGVTALRM, &state.alarm_before, nullptr);
  state.taken = false;
}

Ending Guard::run(const std::function<void()>& call) {
  const c10::impl::LocalDispatchKeySet keys = c10::impl::tls_local_dispatch_key_set();
  const c10::AutogradState autograd = c10::AutogradState::get_tls_state();
  const caffe2::TypeMeta dtype = c10::get_default_dtype();
  // sigsetjmp with 0 saves no signal masks, because SA_NODEFER leaves them unchanged.
  const int jumped = sigsetjmp(state.back, 0);
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
