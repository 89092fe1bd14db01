#include "oracle/protocol/line_process.h"

#include <cstdlib>

namespace upcast::protocol {

ChildSetup line_process(std::vector<std::string> command, std::vector<int> descriptors) {
  ChildSetup setup{.command = std::move(command),
                   .descriptors = std::move(descriptors),
                   .talk = Talk::kStreams,
                   .keeps_errors = true,
                   .interrupt = Interrupt::kOwnGroup};
  // What a package added to LD_LIBRARY_PATH for its own LibTorch (tools/libtorch_home.h) is not for
  // the programs of others, which may have one of their own.
  if (const char* const callers = std::getenv("UPCAST_CALLERS_LIBRARY_PATH"))
    setup.environment = {{"LD_LIBRARY_PATH", callers}};
  return setup;
}

ChildSetup shell_process(const std::string& command) {
  // The shell goes, so that the command itself is what is killed with its parent.
  return line_process({"/bin/sh", "-c", "exec " + command});
}

}  // namespace upcast::protocol
