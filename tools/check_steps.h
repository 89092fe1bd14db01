// The steps of `upcast check-plugin`. Each builds on the one before.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/plugin/manifest.h"
#include "oracle/subject.h"
#include "oracle/verdict.h"

namespace upcast::tools {

/// The result of a step.
struct StepResult {
  std::string name;
  std::string about;  // the subject of the step
  int cases = 0;
  int agree = 0;
  int not_judged = 0;
  std::string why_not_judged{};  // the reason in the first such case

  struct Fault {
    std::string line;
    std::string verdict;  // "differ(dtype)", "crash"; "keeps memory"
    std::string answer;
    std::string right;
    std::string mend;  // in words
  };
  std::vector<Fault> faults{};  // the first few
  int wrong = 0;
  int deaths = 0;
  bool asks_infer =
      false;  // its faults come from comparing the side with device=meta with the side itself

  /// Whether the step has no result: nothing was asked, or nothing could be judged.
  bool is_empty() const { return wrong == 0 && agree == 0; }
};

/// Runs the steps on a side that its manifest describes, against our own implementation: each over
/// a sample of a grid, the same on every machine, of what the manifest does not exclude. Then
/// `inferring`, the same side asked for dtypes and shapes alone, against what the side itself
/// answers; null where it cannot infer. Last, whether the side keeps memory, where it can tell.
/// Calls `done` after each. A death of the side counts against the case; false where it died so
/// often that the rest was not asked.
bool run_steps(Subject& side, Subject* inferring, const Manifest& manifest,
               const std::function<void(const StepResult&)>& done);

}  // namespace upcast::tools
