// The three kinds of error (docs/architecture.md). A Rejection is a value (impl/core/rejection.h).
// A UsageError is a fault of the user or the machine. A failed check is a fault of this program.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace upcast {

/// An error of the user's input or machine. Its message is one line: what is wrong, where, and what
/// to do. It may be thrown anywhere. main() catches it and exits with code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Checks a condition that only an error in this program can break. If it is false, prints `what`
/// and aborts, so that tests and fuzzers notice.
inline void check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "upcast: internal check failed: %s\n", what);
  std::abort();
}

}  // namespace upcast
