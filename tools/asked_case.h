// Reads the question to `upcast explain` as a case. The question is a line of the case notation, or
// PyTorch as people write it (cases/python/question.h).
#pragma once

#include <string>

#include "cases/python/question.h"

namespace upcast::tools {

/// Reads a question as a case. impl:cpu answers calls inside the question. Throws UsageError if the
/// text is no question.
Question asked_case(const std::string& text);

}  // namespace upcast::tools
