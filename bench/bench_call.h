// A case as a call that benchmarks repeat.
#pragma once

#include <functional>
#include <vector>

#include "cases/case.h"
#include "oracle/case_call.h"

namespace upcast::bench {

class BenchCall {
 public:
  /// Puts elements into the storage of the argument at `position`, which holds them densely.
  using Fill = std::function<void(Storage& storage, DType dtype, int position)>;

  /// The tensors of `device` lie in `memory`, uninitialised where there is no `fill`. Those of
  /// another device lie on the host, zero-filled. Throws std::bad_alloc. `memory` outlives the
  /// call.
  BenchCall(const Case& c, Device device, Memory& memory, const Fill& fill = nullptr);
  BenchCall(const BenchCall&) = delete;
  BenchCall& operator=(const BenchCall&) = delete;

  Device device() const { return device_; }
  const Case& the_case() const { return case_; }
  const Op& op() const { return *case_.op; }
  const Call& call() const { return call_; }
  /// The tensor of a parameter; not defined() where it is another argument.
  const Tensor& tensor(int position) const { return arguments_[position].tensor; }

 private:
  Device device_;
  Case case_;
  CaseCall holder_;
  std::vector<Argument> arguments_;
  Call call_;
};

}  // namespace upcast::bench
