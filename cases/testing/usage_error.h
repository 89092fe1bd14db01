// Gives tests the message of a UsageError.
#pragma once

#include <string>

#include "impl/core/error.h"

namespace upcast {

/// The message of the UsageError that f throws; "no error" where it throws none.
template <class F>
std::string usage_error_of(F f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace upcast
