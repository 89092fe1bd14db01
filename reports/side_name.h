// The name of a side in reports.
#pragma once

#include <map>
#include <string>

namespace upcast::reports {

/// The name of a side. A plug-in and a process have the name and version of their manifest, which a
/// run's environment has under `key`. Other sides have their own name without the path of an
/// interpreter. So a side has one name on every machine. A side without a manifest keeps its own
/// name.
std::string side_name(const std::string& side,
                      const std::map<std::string, std::string>& environment,
                      const std::string& key);

/// The sides of a run.
struct CalledSides {
  std::string subject, oracle;  // as they were chosen, which tells their vendor
  std::string subject_name = subject, oracle_name = oracle;  // their names for people
};

}  // namespace upcast::reports
