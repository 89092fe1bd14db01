// The floating-point mode of a thread, which a plug-in's call must leave as it was.
#pragma once

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace upcast {

/// The rounding mode, flush-to-zero and masked exceptions of this thread. A callee has to leave
/// them as they are (System V ABI for x86-64, 3.2.1: the control bits of MXCSR).
class FloatMode {
 public:
  /// Restores the mode at the time when this object was made. Returns whether the mode had changed.
  bool restore() const {
    if (now() == before_) return false;
#if defined(__SSE2__)
    _mm_setcsr(before_);
#else
    std::fesetround(before_);
#endif
    return true;
  }

 private:
#if defined(__SSE2__)
  static unsigned now() { return _mm_getcsr() & ~static_cast<unsigned>(_MM_EXCEPT_MASK); }
  unsigned before_ = now();
#else
  static int now() { return std::fegetround(); }
  int before_ = now();
#endif
};

}  // namespace upcast
