// Gets a side's answers to the chunks of a sweep, from this process or from another one.
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

/// A side of a sweep. `layout`: that of the last operand of its cases, in case notation; "" if
/// dense.
struct SweptSide {
  Side subject;
  std::string_view layout = "";
  std::string name;  // for messages
};

class SideSource {
 public:
  virtual ~SideSource() = default;
  /// The side's answer to a chunk. Chunks are asked in the order that open_sides() got. Throws
  /// UsageError if the side does not answer. A refusal to divide integers by zero counts as an
  /// answer.
  virtual SideAnswer answer(std::int64_t chunk) = 0;
  virtual std::map<std::string, std::string> versions() = 0;
};

/// Opens a source for each side. A side gets a process of its own if it is another configuration of
/// LibTorch than the first, because two cannot share a process. Call it before this process uses
/// LibTorch. `plan` must outlive the sources. `chunks` are those that will be asked, in order.
std::vector<std::unique_ptr<SideSource>> open_sides(const SweepPlan& plan,
                                                    const std::vector<SweptSide>& sides,
                                                    std::span<const std::int64_t> chunks);

}  // namespace upcast::tools
