// Where a side's answers to the chunks of a sweep come from: this process, or one of its own.
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
  /// The chunks in the order in which they were announced. Throws UsageError where the side does
  /// not answer; that it refuses to divide integers by zero is an answer.
  virtual SideAnswer answer(std::int64_t chunk) = 0;
  virtual std::map<std::string, std::string> versions() = 0;
};

/// A source for each side. Those that cannot be in one process with the first one (two
/// configurations of LibTorch) get one. To be called before this process touches LibTorch. `plan`
/// outlives the sources.
std::vector<std::unique_ptr<SideSource>> open_sides(const SweepPlan& plan,
                                                    const std::vector<SweptSide>& sides,
                                                    std::span<const std::int64_t> chunks);

}  // namespace upcast::tools
