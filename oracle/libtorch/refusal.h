// Finds the class of a refusal of LibTorch, which gives the reason as an English text only.
#pragma once

#include <string_view>

#include "impl/core/rejection.h"

namespace upcast::libtorch {

/// The class of a refusal, from the message without context and stack trace. It searches a short
/// text some ten times, which costs little compared with the exception.
RejectionCode classify(std::string_view message);

/// The text before the first line break.
std::string_view first_line(std::string_view message);

}  // namespace upcast::libtorch
