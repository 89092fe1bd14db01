// The steps by which `upcast check-plugin` checks a side. Each step builds on the one before.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/plugin/manifest.h"
#include "oracle/subject.h"
#include "oracle/verdict.h"

namespace upcast::tools {

/// The result of one step: how many of its cases agree, and the first faults.
struct StepResult {
  std::string name;
  std::string about;  // what the step checks, as a sentence
  int cases = 0;
  int agree = 0;
  int not_judged = 0;
  std::string why_not_judged{};  // why the first of the cases in not_judged was not judged

  struct Fault {
    std::string line;
    std::string verdict;  // what the fault is, such as "differ(dtype)", "crash", "keeps memory"
    std::string answer;
    std::string right;
    std::string mend;  // how to repair the fault, a sentence
  };
  std::vector<Fault> faults{};  // the first three faults
  int wrong = 0;
  int deaths = 0;
  /// Whether the step compares infer() with run() of the same side. Else it compares the side with
  /// our implementation.
  bool asks_infer = false;

  /// Whether the step has no result: nothing was asked, or nothing could be judged.
  bool is_empty() const { return wrong == 0 && agree == 0; }
};

/// Runs the steps on `side`, and calls `done` after each. A step compares the side with our own
/// implementation over a sample of a grid. The sample is the same on every machine, and leaves out
/// what `manifest` excludes. Then a step compares `inferring`, the same side asked for dtypes and
/// shapes only, with what `side` answered; null if it cannot infer. The last step checks whether
/// calls leak memory, if the side tells its memory. A case that kills the side is a fault of the
/// case. Returns false if the side died so often that the rest was not asked.
bool run_steps(Subject& side, Subject* inferring, const Manifest& manifest,
               const std::function<void(const StepResult&)>& done);

}  // namespace upcast::tools
