#include "tools/measured_file.h"

#include "tools/known_file.h"

namespace upcast::tools {

/// The text of cases/measured_findings.json, which CMake embeds.
extern const char kBuiltInMeasuredFindings[];

std::vector<reports::ReportFinding> measured_findings() {
  const std::vector<KnownDifference> entries = load_known_file("").differences;
  std::vector<reports::ReportFinding> found;
  for (const MeasuredFinding& measured : parse_measured_findings(kBuiltInMeasuredFindings))
    for (const KnownDifference& entry : entries)
      if (entry.id == measured.id) found.push_back({measured, entry});
  return found;
}

}  // namespace upcast::tools
