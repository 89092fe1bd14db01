// Guards a call that may trap or never end, so that the process goes on.
#pragma once

#include <cstdint>
#include <functional>

namespace upcast::libtorch {

/// How a guarded call ended.
enum class Ending : std::uint8_t { kReturned, kTrapped, kTimedOut };

/// Leaves a call by siglongjmp if it raises SIGFPE or uses too much processor time. What the call
/// allocated is lost, and destructors do not run. LibTorch's thread state (dispatch keys, autograd,
/// default dtype) is restored. By the standard this is undefined behaviour, so the guard can be
/// switched off. It does not leave code that may hold a lock. A process has one guard, used on the
/// thread that made it. SIGSEGV and SIGABRT still end the process.
class Guard {
 public:
  /// Takes over SIGFPE and SIGVTALRM. Make the guard after all other code has set its handlers:
  /// libFuzzer sets its own after LLVMFuzzerInitialize. `seconds`: processor time that a call may
  /// use, rounded down to steps of kTick.
  explicit Guard(double seconds);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  Ending run(const std::function<void()>& call);

  /// How many calls were left and did not return. Each loses memory, so start a new process after
  /// some thousands.
  std::int64_t escapes() const { return escapes_; }

  static constexpr double kTick = 0.01;

 private:
  std::int64_t escapes_ = 0;
};

}  // namespace upcast::libtorch
