#include "oracle/composition_dtypes.h"

#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "oracle/case_call.h"

namespace upcast {
namespace {

/// Computes on the CPU, and notes in which dtypes.
class NotingEngine final : public Engine {
 public:
  Memory& memory() override { return cpu_.memory(); }
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) override {
    dtypes_ = dtypes_ | common;
    return cpu_.run(op, call, common, plan);
  }
  DTypeSet dtypes() const { return dtypes_; }

 private:
  CpuEngine cpu_;
  DTypeSet dtypes_;
};

}  // namespace

DTypeSet composition_dtypes(const Case& c) {
  CaseCall maker;
  NotingEngine engine;
  const Outcome<CallResult> result = call_op(*c.op, maker.make(c), engine);
  return result.ok() ? engine.dtypes() : DTypeSet();
}

}  // namespace upcast
