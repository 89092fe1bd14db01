#include "impl/cpu/cpu_engine.h"

#include <atomic>

#include "impl/cpu/parallel_for.h"
#include "impl/cpu/result_table.h"
#include "impl/cpu/tile_loop.h"

namespace upcast {
namespace {

constexpr std::int64_t kGrain = 1 << 16;  // a thread gets at least this many elements

Fault run_program(const internal::TileProgram& program, int threads) {
  std::atomic<bool> zero_division = false;
  parallel_for(program.plan.in_order ? 1 : threads, numel(program.plan.sizes), kGrain,
               [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                 if (internal::TileLoop(program, begin).run(end - begin).zero_division)
                   zero_division = true;
               });
  return Fault{.zero_division = zero_division};
}

}  // namespace

Fault CpuEngine::run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) {
  if (numel(plan.sizes) == 0) return {};
  const auto [capability, threads] = settings_;
  const auto table = internal::ResultTable::make(op, call, common, plan, capability);
  return run_program(
      table ? internal::TileProgram(table->kernel(), table->params(), table->plan(), capability)
            : internal::TileProgram(op, call, common, plan, capability),
      threads);
}

}  // namespace upcast
