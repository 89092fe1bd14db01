// LibTorch's side of a benchmark: the same case over the same memory.
#pragma once

#include <memory>
#include <string>

#include "bench/bench_call.h"
#include "oracle/answer.h"

namespace upcast::bench {

class LibTorchPeer {
 public:
  /// The call outlives the peer.
  explicit LibTorchPeer(const BenchCall& call);
  ~LibTorchPeer();

  /// Why LibTorch cannot be asked, or "".
  const std::string& missing() const;
  /// One call by schema, as the oracle makes it; what it returns is dropped. What LibTorch throws
  /// comes out.
  void run();
  /// One call, and what it returns.
  Answer answer();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upcast::bench
