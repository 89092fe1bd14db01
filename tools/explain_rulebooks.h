// What rule books say to a case: `upcast explain --rulebook`.
#pragma once

#include <string>

#include "cases/case.h"

namespace upcast::tools {

/// Prints the answers of one rule book, or of all, with the deciding rule in words. Throws
/// UsageError for an unknown name.
void explain_rulebooks(const Case& c, const std::string& name, bool json);

}  // namespace upcast::tools
