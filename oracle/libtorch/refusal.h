// Classes of LibTorch's refusals. LibTorch gives the reason as an English text only.
#pragma once

#include <string_view>

#include "impl/core/rejection.h"

namespace upcast::libtorch {

/// The class of a refusal, from its message (without context or stack trace). It makes some ten
/// searches in a short text, which is cheap compared with the exception.
RejectionCode classify(std::string_view message);

/// The text before the first line break.
std::string_view first_line(std::string_view message);

}  // namespace upcast::libtorch
