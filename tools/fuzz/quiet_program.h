// How a campaign starts a program whose output goes to a file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "oracle/process/child.h"

namespace upcast::tools {

/// A process whose output and errors go to the file `output`. It is in a process group of its own,
/// so that only the campaign gets the terminal's SIGINT. `environment`: variables that are set in
/// addition to those of this process.
inline ChildSetup quiet_program(std::vector<std::string> command, const std::string& output,
                                std::vector<std::pair<std::string, std::string>> environment = {}) {
  return {.command = std::move(command),
          .environment = std::move(environment),
          .input = "/dev/null",
          .output = output,
          .errors = output,
          .interrupt = Interrupt::kOwnGroup};
}

}  // namespace upcast::tools
