// Inputs that go to and fro between the engines of a campaign, and between campaigns of several
// machines through a folder that all see.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "oracle/process/child.h"

namespace upcast::tools {

/// One campaign's part in such a folder. It may lie on a network file system: there are no locks
/// and no memory is shared. A file appears there whole, by a rename, under the engine's name for
/// it, the hash of its content; so it does not matter who writes it, or how often. `inputs/` holds
/// what is of use; pruning moves the rest to `pruned/`, and deletes nothing.
class Exchange {
 public:
  /// "": without other campaigns. Throws UsageError where the folder cannot be made.
  explicit Exchange(const std::string& folder);

  /// Gives what an engine has written into its folder, one of `jobs`, to the others of these and to
  /// other campaigns. Lays into each of them what other campaigns gave.
  /// `desk`: a folder on the file system of `jobs`. Throws UsageError where the folder cannot be
  /// written: a full disk must not look as if there were nothing to give.
  void step(const std::vector<std::string>& jobs, const std::string& desk);

  /// The folders whose files make up all that was ever given.
  std::vector<std::string> folders() const;
  std::string inputs() const { return folder_ + "/inputs"; }

  /// Moves away the inputs that `merged`, a folder of the engine's, leaves out of those in
  /// `listed`. Returns how many went.
  std::size_t prune(const std::set<std::string>& listed, const std::string& merged) const;
  /// The names in inputs().
  std::set<std::string> list() const;

 private:
  void give(const std::filesystem::path& input, const std::string& name) const;

  std::string folder_;
  std::set<std::string> seen_;  // names that were given or taken
};

}  // namespace upcast::tools
