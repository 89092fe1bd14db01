// The floating-point mode of a thread. A plug-in's call must leave it as it was.
#pragma once

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace upcast {

/// The mode that a thread had when the object was made: rounding, flush-to-zero, masked exceptions.
/// A callee must leave these as they are (System V ABI for x86-64, 3.2.1: the control bits of
/// MXCSR).
class FloatMode {
 public:
  /// Restores the mode. Returns whether it had changed since the object was made.
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
