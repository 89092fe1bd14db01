// The three kinds of error (docs/architecture.md): a Rejection is a value (impl/core/rejection.h),
// a UsageError is the user's, a failed check is ours.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace upcast {

/// The user's input or machine is at fault. The message is one line: what is wrong, where, and what
/// to do. Thrown anywhere, caught once, in main(): exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A false condition is our fault: prints `what` and aborts, so that tests and fuzzers notice.
inline void check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "upcast: internal check failed: %s\n", what);
  std::abort();
}

}  // namespace upcast
