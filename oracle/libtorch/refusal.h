// LibTorch's refusals by class: it gives the reason as an English text only.
#pragma once

#include <string_view>

#include "impl/core/rejection.h"

namespace upcast::libtorch {

/// Our reading of a refusal's message (without context or stack trace). Some ten searches in a
/// short text: cheap, compared with the exception that carried it.
RejectionCode classify(std::string_view message);

/// Everything before the first line break.
std::string_view first_line(std::string_view message);

}  // namespace upcast::libtorch
