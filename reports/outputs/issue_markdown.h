// Writes a finding as an issue that a person can file with PyTorch.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cases/known_differences.h"
#include "cases/measured_findings.h"

namespace upcast::reports {

/// A known difference, and what was measured of it.
struct ReportFinding {
  MeasuredFinding measured;
  KnownDifference entry;
};

/// The issue for a finding in GitHub's Markdown. The title is the first line. Then come the reason,
/// a program, the observed and the expected answer with its witnesses, the affected dtypes and
/// forms, versions, and threads that may be about the same cause. A part without measurements is
/// left out. `others` are further findings with the same cause: each has a section of its own with
/// its program and both answers.
std::string issue_markdown(const ReportFinding& finding,
                           std::span<const ReportFinding> others = {});

/// The findings among `all` that have the same cause as `finding`, without `finding` itself.
std::vector<ReportFinding> others_of_its_cause(const ReportFinding& finding,
                                               std::span<const ReportFinding> all);

/// The title of the issue as plain text: "torch.logit gives 2 instead of 4 (bfloat16, relative
/// error 0.5)". If no exact value decides and paths of LibTorch contradict each other, the title
/// does not say who is right.
std::string issue_title(const MeasuredFinding& finding, const KnownDifference& entry);

}  // namespace upcast::reports
