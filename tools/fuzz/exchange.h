// Exchanges inputs between the engines of a campaign, and between campaigns on several machines,
// through a folder that all of them see.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "oracle/process/child.h"

namespace upcast::tools {

/// One campaign's access to the shared folder. The folder may be on a network file system, because
/// it needs no locks and no shared memory. A file appears whole, by a rename, and is named after
/// the hash of its content. So it does not matter which campaign writes it, or how often. Pruning
/// moves inputs that add no feature from `inputs/` to `pruned/`, and deletes nothing.
class Exchange {
 public:
  /// `folder`: the shared one; "" for an exchange between the engines of one campaign only. Throws
  /// UsageError if the folder cannot be made.
  explicit Exchange(const std::string& folder);

  /// Copies each new input of an engine to the other engines and to the shared folder, and new
  /// inputs of the shared folder to each engine. `jobs` are the engines' folders; `desk` is a
  /// folder for drafts on the same file system. Throws UsageError if a file cannot be written: a
  /// full disk must not look as if there were nothing new.
  void step(const std::vector<std::string>& jobs, const std::string& desk);

  /// The folders that together hold every input that a campaign ever gave: `inputs/` and `pruned/`.
  std::vector<std::string> folders() const;
  std::string inputs() const { return folder_ + "/inputs"; }

  /// Moves to `pruned/` the inputs in `listed` that the folder `merged`, a result of a merge,
  /// lacks. Returns how many were moved.
  std::size_t prune(const std::set<std::string>& listed, const std::string& merged) const;
  /// The names of the files in inputs().
  std::set<std::string> list() const;

 private:
  void give(const std::filesystem::path& input, const std::string& name) const;

  std::string folder_;
  std::set<std::string> seen_;  // names of inputs that step() has copied
};

}  // namespace upcast::tools
