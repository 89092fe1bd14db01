// Tables of results. An op over elements of 8 or 16 bits has few different arguments, so a long
// call computes each result only once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "impl/iterator/plan.h"
#include "impl/ops/catalogue.h"
#include "impl/tensor/storage.h"

namespace upcast::internal {

/// The results of one call for every value of the only operand that varies. The call's own kernel
/// and casts compute them, so a look-up gives the same bits as the computation. A table lives as
/// long as its call: calls share no table.
class ResultTable {
 public:
  /// Makes the table of a call. Returns nullopt if a table would cost more time than it saves, or
  /// if the functor raises a fault for some value.
  static std::optional<ResultTable> make(const Op& op, const Call& call, DType common,
                                         const IteratorPlan& plan, Capability capability);

  /// The kernel that looks results up, its parameters, and the call's plan with only the operand
  /// that varies.
  Kernel kernel() const { return kernel_; }
  KernelParams params() const;
  const IteratorPlan& plan() const { return plan_; }

 private:
  ResultTable(const IteratorPlan& plan, int indexed);
  /// Computes the entries. Returns false if the functor raises a fault for some value.
  bool fill(const Op& op, const Call& call, DType common, const IteratorPlan& plan, int indexed,
            Capability capability);

  IteratorPlan plan_;
  Kernel kernel_;
  std::int64_t entries_;
  std::unique_ptr<Storage> results_;
};

}  // namespace upcast::internal
