// The command `upcast sweep`, as a function. The program that calls it registers the sides.
#pragma once

#include <string>
#include <vector>

namespace upcast::tools {

/// The sides that are swept without --side: `truth` are those compared with the truth, `paths`
/// those compared with each other.
struct DefaultSides {
  std::vector<std::string> truth, paths;
};

/// Runs `upcast sweep` and returns its exit code. Subjects must be registered before.
int sweep_main(int argc, char** argv, const DefaultSides& defaults);

}  // namespace upcast::tools
