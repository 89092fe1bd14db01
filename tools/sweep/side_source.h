// The source of a side's answers to the chunks of a sweep: this process, or another one.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/side.h"
#include "tools/sweep/side_process.h"
#include "tools/sweep/sweep_plan.h"

namespace upcast::tools {

/// A side, and how the last operand of its cases lies (as the notation has it).
struct SweptSide {
  Side subject;
  std::string_view layout = "";
  std::string name;  // for messages
};

class SideSource {
 public:
  virtual ~SideSource() = default;
  /// Answers the next announced chunk. Throws UsageError if the side does not answer. A refusal to
  /// divide integers by zero is an answer.
  virtual SideAnswer answer(std::int64_t chunk) = 0;
  virtual std::map<std::string, std::string> versions() = 0;
};

/// Opens a source for each side. A side that cannot share a process with the first one (two
/// configurations of LibTorch) gets a process. Call it before this process touches LibTorch. `plan`
/// must outlive the sources.
std::vector<std::unique_ptr<SideSource>> open_sides(const SweepPlan& plan,
                                                    const std::vector<SweptSide>& sides,
                                                    std::span<const std::int64_t> chunks);

}  // namespace upcast::tools
