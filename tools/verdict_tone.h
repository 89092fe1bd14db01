// Chooses the colours of verdicts in a terminal.
#pragma once

#include <cstdio>
#include <string>

#include "oracle/verdict.h"
#include "reports/summary.h"
#include "tools/colour.h"

namespace upcast::tools {

Tone tone_of(VerdictCode code);

/// The text of summary_text(). Its sentence with the verdict has a colour that shows how the run
/// ended.
std::string painted_summary(std::FILE* to, const reports::Summary& summary);

}  // namespace upcast::tools
