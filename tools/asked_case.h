// The question to `upcast explain`, as a case: a line of the case notation, or PyTorch as people
// write it (cases/python/question.h).
#pragma once

#include <string>

#include "cases/python/question.h"

namespace upcast::tools {

/// The question as a case. Throws UsageError. impl:cpu answers calls inside the question.
Question asked_case(const std::string& text);

}  // namespace upcast::tools
