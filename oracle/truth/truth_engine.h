// An engine whose kernels are the exact values, rounded once to the common dtype.
#pragma once

#include <string>
#include <vector>

#include "impl/ops/engine.h"
#include "oracle/truth/evaluate.h"

namespace upcast::truth {

/// Operands are converted to the common dtype first, as every engine does; what an op means over
/// these is exact; the result is rounded to the common dtype, and cast to an out= of another dtype.
class TruthEngine : public Engine {
 public:
  Memory& memory() override { return host_memory(); }
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) override;

  /// Forgets the last call.
  void reset();
  /// Ops that ran since, in order.
  const std::vector<const Op*>& ran() const { return ran_; }
  /// Why there is no truth; empty where there is.
  const std::string& missing() const { return missing_; }
  /// Of the last run: what each element of the output is, by its place in the output's memory.
  const std::vector<Value>& values() const { return values_; }
  DType common_dtype() const { return common_; }
  const Decided& decided() const { return decided_; }

 private:
  std::vector<const Op*> ran_;
  std::string missing_;
  std::vector<Value> values_;
  DType common_ = DType::kUndefined;
  Decided decided_;
};

/// Why an op has no truth over a common dtype; empty where it has one.
std::string why_no_truth(const Op& op, const Call& call, DType common);

}  // namespace upcast::truth
