// Catches the message that a user reads if something is refused.
#pragma once

#include <string>

#include "impl/core/error.h"

namespace upcast {

/// Makes a call. Returns the message of the UsageError that it throws, or "" if it throws none.
template <class Call>
std::string usage_error_of(Call call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace upcast
