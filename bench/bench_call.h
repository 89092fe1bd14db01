// A call of an op that benchmarks repeat, made from a case.
#pragma once

#include <functional>
#include <vector>

#include "cases/case.h"
#include "oracle/case_call.h"

namespace upcast::bench {

class BenchCall {
 public:
  /// Fills the storage of the argument at `position` with elements. Gaps of a strided tensor are
  /// filled too.
  using Fill = std::function<void(Storage& storage, DType dtype, int position)>;

  /// Tensors of `device` lie in `memory`; without a `fill` their elements are uninitialised.
  /// Tensors of another device lie on the host and hold zeros. Throws std::bad_alloc. `memory` must
  /// outlive the call.
  BenchCall(const Case& c, Device device, Memory& memory, const Fill& fill = nullptr);
  BenchCall(const BenchCall&) = delete;
  BenchCall& operator=(const BenchCall&) = delete;

  Device device() const { return device_; }
  const Case& the_case() const { return case_; }
  const Op& op() const { return *case_.op; }
  const Call& call() const { return call_; }
  /// The tensor of the argument at `position`; it is not defined() if the argument is not a tensor.
  const Tensor& tensor(int position) const { return arguments_[position].tensor; }

 private:
  Device device_;
  Case case_;
  CaseCall holder_;
  std::vector<Argument> arguments_;
  Call call_;
};

}  // namespace upcast::bench
