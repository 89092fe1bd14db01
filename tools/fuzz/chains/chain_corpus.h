// The corpus of a campaign of chains: a folder with a file for each chain, as the engine of the
// target chain keeps them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fuzz/chains/asked_chain.h"
#include "oracle/process/descriptor.h"

namespace upcast::tools {

class ChainCorpus {
 public:
  /// Locks the folder, and makes it if it does not exist. Throws UsageError, also if another
  /// campaign has locked it.
  ChainCorpus(const std::string& folder, Random& random);

  /// The next chain to ask: one of the folder that was not drawn yet, a changed one, or a new
  /// random one of `callables`.
  Chain draw(std::span<const FoundOp> callables, const fuzz::AskCase& oracle);
  /// Writes a chain to the folder if it has a feature that no chain before it had, and if the codec
  /// can hold it.
  void offer(const fuzz::AskedChain& asked);

  std::int64_t features() const { return static_cast<std::int64_t>(features_.size()); }
  std::int64_t inputs() const { return static_cast<std::int64_t>(chains_.size()); }

 private:
  bool is_new(const fuzz::AskedChain& asked);

  std::string folder_;
  Descriptor lock_;
  Random& random_;
  std::vector<Chain> chains_;
  std::size_t drawn_ = 0;  // how many of the folder's chains were drawn
  std::size_t held_ = 0;
  std::set<std::uint32_t> features_;
};

}  // namespace upcast::tools
