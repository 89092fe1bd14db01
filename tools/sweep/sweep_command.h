// The command `upcast sweep`, apart from the sides that a program holds.
#pragma once

#include <string>
#include <vector>

namespace upcast::tools {

/// The sides where the command names no --side: against the truth, and against one another.
struct DefaultSides {
  std::vector<std::string> truth, paths;
};

/// The whole command; gives its exit code. Subjects are registered before.
int sweep_main(int argc, char** argv, const DefaultSides& defaults);

}  // namespace upcast::tools
