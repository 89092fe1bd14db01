// LibTorch's side of a benchmark: the same case over the same memory.
#pragma once

#include <memory>
#include <string>

#include "bench/bench_call.h"
#include "oracle/answer.h"

namespace upcast::bench {

class LibTorchPeer {
 public:
  /// `call` must outlive the peer.
  explicit LibTorchPeer(const BenchCall& call);
  ~LibTorchPeer();

  /// Why LibTorch does not have this call; "" if it has.
  const std::string& missing() const;
  /// Makes the call once, through LibTorch's schema as the oracle does, and drops the result.
  /// Exceptions of LibTorch pass through.
  void run();
  /// Makes the call once, and returns LibTorch's answer.
  Answer answer();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upcast::bench
