// Makes the name of a side in reports.
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

/// The two sides of a run, as texts that parse_side() reads and as names for people.
struct CalledSides {
  std::string subject, oracle;  // the sides as the user chose them, which tells their vendor
  std::string subject_name = subject, oracle_name = oracle;  // their names in reports
};

}  // namespace upcast::reports
