// An engine whose kernels are the exact values, rounded once to the common dtype.
#pragma once

#include <string>
#include <vector>

#include "impl/ops/engine.h"
#include "oracle/truth/evaluate.h"

namespace upcast::truth {

/// Computes the truth of a call. Operands are rounded as the plan says, as in every engine. The
/// meaning of an op over these is exact. The result is rounded to the common dtype, and cast to an
/// out= of another dtype.
class TruthEngine : public Engine {
 public:
  Memory& memory() override { return host_memory(); }
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) override;

  /// Forgets the last call.
  void reset();
  /// The ops that ran since reset(), in order, without copies of an earlier op's result.
  const std::vector<const Op*>& ran() const { return ran_; }
  /// Why there is no truth; empty if there is one.
  const std::string& missing() const { return missing_; }
  /// The exact value of each element that the last run wrote, by its place in the output's memory;
  /// two parts each for a complex common dtype.
  const std::vector<Value>& values() const { return values_; }
  int parts() const { return parts_; }
  DType common_dtype() const { return common_; }
  const Decided& decided() const { return decided_; }

 private:
  Fault run_integers(const Op& op, const Call& call, DType common, const IteratorPlan& plan);
  void run_reals(const Op& op, const Call& call, DType common, const IteratorPlan& plan);
  void run_complex(const Op& op, const Call& call, DType common, const IteratorPlan& plan);
  bool is_copy_of_last(const Op& op, DType common, const IteratorPlan& plan) const;
  void carry_values(const IteratorPlan& plan);

  std::vector<const Op*> ran_;
  std::string missing_;
  std::vector<Value> values_;
  int parts_ = 1;
  const std::byte* output_ = nullptr;  // of the last run
  DType common_ = DType::kUndefined;
  Decided decided_;
};

}  // namespace upcast::truth
