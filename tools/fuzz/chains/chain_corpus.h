// The inputs of a campaign of chains: a file an input, as the engine of the target chain keeps
// them.
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
  /// Holds the folder, which it makes where there is none. Throws UsageError.
  ChainCorpus(const std::string& folder, Random& random);

  /// One that was not drawn yet, one that a change makes of those there are, or a new one.
  Chain draw(const fuzz::AskCase& oracle);
  /// Writes it to the folder where it has a feature that none before it had, and the codec holds
  /// it.
  void offer(const fuzz::AskedChain& asked);

  std::int64_t features() const { return static_cast<std::int64_t>(features_.size()); }
  std::int64_t inputs() const { return static_cast<std::int64_t>(chains_.size()); }

 private:
  bool is_new(const fuzz::AskedChain& asked);

  std::string folder_;
  Descriptor lock_;
  Random& random_;
  std::vector<Chain> chains_;
  std::size_t drawn_ = 0;  // of those that the folder held
  std::size_t held_ = 0;
  std::set<std::uint32_t> features_;
};

}  // namespace upcast::tools
