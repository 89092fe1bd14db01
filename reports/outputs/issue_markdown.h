// A finding as an issue that a person can file with PyTorch.
#pragma once

#include <string>

#include "cases/known_differences.h"
#include "cases/measured_findings.h"

namespace upcast::reports {

/// GitHub's Markdown: the title as the first line, the reason, a program, what is observed and what
/// is expected with its witnesses, the affected dtypes and forms, versions, and threads that may be
/// about the same. A part that nothing was measured for is left out.
std::string issue_markdown(const MeasuredFinding& finding, const KnownDifference& entry);

/// The title alone, as text: "torch.logit gives 2 instead of 4 (bfloat16, relative error 0.5)".
/// Where no exact value decides and paths contradict each other, it does not say who is right.
std::string issue_title(const MeasuredFinding& finding, const KnownDifference& entry);

}  // namespace upcast::reports
