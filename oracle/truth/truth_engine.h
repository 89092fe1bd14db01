// An engine that computes exact values, each rounded once to the common dtype.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "impl/ops/engine.h"
#include "oracle/truth/evaluate.h"

namespace upcast::truth {

/// Computes the truth of a call. Operands are first rounded as the plan says, as in every engine.
/// The op's meaning over these values is exact. The result is rounded to the common dtype, and then
/// cast to an out= of another dtype.
class TruthEngine : public Engine {
 public:
  Memory& memory() override { return host_memory(); }
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) override;

  /// Forgets which ops ran. Call it before each case.
  void reset();
  /// The ops that ran since reset(), in order. A copy of an earlier op's result is left out.
  const std::vector<const Op*>& ran() const { return ran_; }
  /// Why the call has no truth; empty if it has one.
  const std::string& missing() const { return missing_; }
  /// The exact values of the last run, by the place of the element in the output's memory. A
  /// complex common dtype has two values for each element.
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
  const std::byte* output_ = nullptr;  // where the output of the last run lies
  DType common_ = DType::kUndefined;
  Decided decided_;
  Memo<Value> memo_;
  Memo<std::pair<Value, Value>> complex_memo_;
};

}  // namespace upcast::truth
