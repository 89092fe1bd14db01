// The name of a side in reports.
#pragma once

#include <map>
#include <string>

namespace upcast::reports {

/// A plug-in and a process are called by the name and version of their manifest, which a run's
/// environment has under `key`; other sides by their own name without the path of an interpreter.
/// So a side has one name on every machine. A side that says nothing of itself keeps its own name.
std::string side_name(const std::string& side,
                      const std::map<std::string, std::string>& environment,
                      const std::string& key);

/// The sides of a run.
struct CalledSides {
  std::string subject, oracle;  // as they were chosen, which tells what they are
  std::string subject_name = subject, oracle_name = oracle;  // what people call them
};

}  // namespace upcast::reports
