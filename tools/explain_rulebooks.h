// What rule books say to a case: `upcast explain --rulebook`.
#pragma once

#include <string>

#include "cases/case.h"

namespace upcast::tools {

/// Prints the answers of one rule book, or of all, with the deciding rule in words. Throws
/// UsageError for an unknown name. `opset`: of ONNX.
void explain_rulebooks(const Case& c, const std::string& name, int opset, bool json);

}  // namespace upcast::tools
