// The command `upcast sweep`, apart from the sides that a program holds.
#pragma once

#include <string>
#include <vector>

namespace upcast::tools {

/// The sides for a command without --side: those compared with the truth, and those compared with
/// each other.
struct DefaultSides {
  std::vector<std::string> truth, paths;
};

/// Runs the whole command and returns its exit code. Register the subjects before.
int sweep_main(int argc, char** argv, const DefaultSides& defaults);

}  // namespace upcast::tools
