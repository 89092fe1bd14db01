// What the user reads where something is refused.
#pragma once

#include <string>

#include "impl/core/error.h"

namespace upcast {

/// The message of the UsageError that a call throws; "" where it throws none.
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
