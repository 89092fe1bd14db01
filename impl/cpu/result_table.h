// An op over elements of 8 or 16 bits has few arguments: a long call makes a table of its results.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "impl/iterator/plan.h"
#include "impl/ops/catalogue.h"
#include "impl/tensor/storage.h"

namespace upcast::internal {

/// The results of one call for every value of the only operand that varies, made by the call's own
/// kernel and casts: what is looked up has the bits of what is computed. It lives as long as the
/// call, so that nothing is shared.
class ResultTable {
 public:
  /// Nothing where a table does not pay, or where the functor raises a fault for some value.
  static std::optional<ResultTable> make(const Op& op, const Call& call, DType common,
                                         const IteratorPlan& plan, Capability capability);

  /// The kernel that looks up, its parameters, and the call's plan with the one operand.
  Kernel kernel() const { return kernel_; }
  KernelParams params() const;
  const IteratorPlan& plan() const { return plan_; }

 private:
  ResultTable(const IteratorPlan& plan, int indexed);
  /// Whether no value raises a fault.
  bool fill(const Op& op, const Call& call, DType common, const IteratorPlan& plan, int indexed,
            Capability capability);

  IteratorPlan plan_;
  Kernel kernel_;
  std::int64_t entries_;
  std::unique_ptr<Storage> results_;
};

}  // namespace upcast::internal
