// Properties of plans, of their pieces and of their launches. In whatever order, each element of
// the output is computed once, from the elements of the inputs that broadcasting gives it.
#include <algorithm>
#include <map>

#include "impl/cpu/cpu_engine.h"
#include "impl/ops/plan_call.h"
#include "oracle/case_call.h"
#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"
#include "properties/visited_addresses.h"

namespace upcast::properties {
namespace {

/// The plan of a case for the CPU. Cases on a device have operands that are not on the host.
struct Planned {
  explicit Planned(const Case& c)
      : refused(plan_call(*c.op, call.make(c), planned, engine).has_value()) {
    // A composition has no plan, and neither has a call that is refused.
    refused = refused || c.op->compose != nullptr;
  }
  const Iteration& iteration() const { return planned.iteration; }

  CaseCall call;
  CpuEngine engine;
  CallPlan planned;
  bool refused;
};

/// A plan with the dimensions of the shape, the slowest first. No dimension is reordered or merged.
IteratorPlan plain_plan(const Iteration& iteration, const IteratorPlan& like) {
  IteratorPlan plan = like;
  plan.sizes = iteration.shape;
  const auto set = [&iteration](PlanOperand& operand, const Tensor* tensor) {
    if (operand.dtype == DType::kUndefined) return;
    operand.data = tensor->data();
    operand.strides = broadcast_strides(tensor->sizes, tensor->strides, iteration.shape);
    for (std::int64_t& stride : operand.strides) stride *= itemsize(tensor->dtype);
  };
  for (int i = 0; i < plan.output_count; ++i)
    set(plan.outputs[static_cast<std::size_t>(i)],
        iteration.outputs()[static_cast<std::size_t>(i)].tensor);
  for (int i = 0; i < plan.input_count; ++i)
    set(plan.inputs[static_cast<std::size_t>(i)],
        iteration.inputs()[static_cast<std::size_t>(i)].tensor);
  return plan;
}

void require_same_visits(const std::string& what, Visits visits, Visits expected) {
  std::sort(visits.begin(), visits.end());
  std::sort(expected.begin(), expected.end());
  if (visits != expected)
    RC_FAIL(what + ": " + std::to_string(visits.size()) + " visits, " +
            std::to_string(expected.size()) + " expected" +
            (visits.size() == expected.size() ? ", others than these" : ""));
}

/// Calls f(planned, plan), where the system made the plan. Vacuous for a call without a plan.
template <class F>
Finding with_plan(const System& system, const Case& c, F f) {
  const Planned planned(c);
  if (planned.refused) return Finding::kVacuous;
  f(planned, system.iterator.build_plan(planned.iteration()));
  return Finding::kHolds;
}

Finding check_visits(const System& system, const Case& c) {
  return with_plan(system, c, [](const Planned& planned, const IteratorPlan& plan) {
    require_same_visits("the plan", visits_of(plan),
                        visits_of(plain_plan(planned.iteration(), plan)));
  });
}

Finding check_count(const System& system, const Case& c) {
  return with_plan(system, c, [](const Planned& planned, const IteratorPlan& plan) {
    RC_ASSERT(numel(plan.sizes) == numel(planned.iteration().shape));
    RC_ASSERT(plan.sizes.size() <= std::max<std::size_t>(planned.iteration().shape.size(), 1));
  });
}

Finding check_writes_once(const System& system, const Case& c) {
  return with_plan(system, c, [](const Planned& planned, const IteratorPlan& plan) {
    for (int i = 0; i < plan.output_count; ++i) {
      const Tensor& output = *planned.iteration().outputs()[static_cast<std::size_t>(i)].tensor;
      std::map<std::int64_t, int> written;
      for (const Visit& visit : visits_of(plan)) ++written[visit[static_cast<std::size_t>(i)]];
      for (const std::int64_t position : positions_of(output.sizes, output.strides)) {
        const std::int64_t address = address_of(output.data()) + position * itemsize(output.dtype);
        if (written[address] != 1)
          RC_FAIL("an element is written " + std::to_string(written[address]) + " times");
      }
      RC_ASSERT(static_cast<std::int64_t>(written.size()) == numel(output.sizes));
    }
  });
}

Finding check_coalesced(const System& system, const Case& c) {
  return with_plan(system, c, [&](const Planned& planned, const IteratorPlan& like) {
    const IteratorPlan plain = plain_plan(planned.iteration(), like);
    IteratorPlan coalesced = plain;
    system.iterator.coalesce(coalesced);
    if (visits_of(coalesced) != visits_of(plain)) RC_FAIL("other visits, or in another order");
  });
}

Finding check_coalesced_dims(const System& system, const Case& c) {
  return with_plan(system, c, [&](const Planned& planned, const IteratorPlan& like) {
    const IteratorPlan plain = plain_plan(planned.iteration(), like);
    IteratorPlan once = plain;
    system.iterator.coalesce(once);
    if (once.sizes.size() > plain.sizes.size()) RC_FAIL("there are more dimensions than before");
    IteratorPlan twice = once;
    system.iterator.coalesce(twice);
    if (twice.sizes != once.sizes)
      RC_FAIL("sizes " + to_text(once.sizes) + " merge to " + to_text(twice.sizes));
  });
}

bool all_contiguous(const Planned& planned) {
  const Iteration& iteration = planned.iteration();
  for (const IteratorOperand& operand : iteration.operands())
    if (operand.defined() && (operand.tensor->sizes != iteration.shape ||
                              !same_strides(iteration.shape, operand.tensor->strides,
                                            contiguous_strides(iteration.shape))))
      return false;
  return true;
}

Finding check_one_loop(const System& system, const Case& c) {
  Finding finding = Finding::kVacuous;
  static_cast<void>(with_plan(system, c, [&](const Planned& planned, const IteratorPlan&) {
    if (!all_contiguous(planned)) return;
    IteratorPlan plan = plain_plan(planned.iteration(), planned.planned.plan);
    system.iterator.coalesce(plan);
    if (plan.sizes.size() > 1) RC_FAIL("contiguous operands take the loops " + to_text(plan.sizes));
    finding = Finding::kHolds;
  }));
  return finding;
}

Finding check_fast_setup(const System& system, const Case& c) {
  const Planned planned(c);
  if (planned.refused) return Finding::kVacuous;
  Iteration iteration = planned.iteration();
  // With a null tensor as output, the iterator chooses the output's layout.
  for (IteratorOperand& output : iteration.outputs()) output.tensor = nullptr;
  if (system.iterator.fast_setup(iteration) == FastSetup::kNone) return Finding::kVacuous;
  const Dims fast = system.iterator.output_strides(iteration);
  const Dims general = strides_in_order(iteration.shape, reorder_dimensions(iteration));
  if (!same_strides(iteration.shape, fast, general))
    RC_FAIL("the short way lays the result " + to_text(fast) + ", the general one " +
            to_text(general));
  return Finding::kHolds;
}

/// The size limit for pieces of a plan, in bytes. The seed gives small, prime and other awkward
/// limits.
std::int64_t limit_of(const Case& c) { return 16 + static_cast<std::int64_t>(c.seed); }

Finding check_pieces(const System& system, const Case& c) {
  return with_plan(system, c, [&](const Planned&, const IteratorPlan& plan) {
    Visits visits;
    for (const IteratorPlan& piece : system.iterator.split(plan, limit_of(c))) {
      const Visits some = visits_of(piece);
      visits.insert(visits.end(), some.begin(), some.end());
    }
    require_same_visits("the pieces together", std::move(visits), visits_of(plan));
  });
}

/// How far the last element's start is from the first element, in bytes. It is found by visiting
/// each element.
std::int64_t reach_of(const Visits& visits) {
  std::int64_t reach = 0;
  if (visits.empty()) return reach;
  for (std::size_t i = 0; i < visits.front().size(); ++i) {
    const auto by_operand = [i](const Visit& a, const Visit& b) { return a[i] < b[i]; };
    const auto [first, last] = std::minmax_element(visits.begin(), visits.end(), by_operand);
    reach = std::max(reach, (*last)[i] - (*first)[i]);
  }
  return reach;
}

Finding check_pieces_fit(const System& system, const Case& c) {
  return with_plan(system, c, [&](const Planned&, const IteratorPlan& plan) {
    const std::int64_t limit = limit_of(c);
    for (const IteratorPlan& piece : system.iterator.split(plan, limit)) {
      const Visits visits = visits_of(piece);
      if (static_cast<std::int64_t>(visits.size()) > limit || reach_of(visits) >= limit)
        RC_FAIL("a piece of " + std::to_string(visits.size()) + " elements reaches " +
                std::to_string(reach_of(visits)) + " bytes, the limit is " + std::to_string(limit));
    }
  });
}

Finding check_stays_whole(const System& system, const Case& c) {
  return with_plan(system, c, [&](const Planned&, const IteratorPlan& plan) {
    const Visits visits = visits_of(plan);
    if (visits.empty()) return;  // a plan without elements is never split
    const std::int64_t needed = std::max(
        {reach_of(visits) + 1, static_cast<std::int64_t>(visits.size()), std::int64_t{16}});
    if (system.iterator.split(plan, needed).size() != 1)
      RC_FAIL("a plan that needs " + std::to_string(needed) + " bytes is split at that limit");
    if (needed > 16 && system.iterator.split(plan, needed - 1).size() < 2)
      RC_FAIL("a plan that needs " + std::to_string(needed) + " bytes stays whole below them");
  });
}

Finding check_launches(const System& system, const Case& c) {
  Planned planned(c);
  if (planned.refused) return Finding::kVacuous;
  IteratorPlan plan = planned.planned.plan;
  for_each_operand(plan, [](PlanOperand& operand) { operand.on_host = false; });
  const DeviceModel model{.threads = 1 + static_cast<std::uint32_t>(c.seed % 37),
                          .max_blocks = 1 + static_cast<std::uint32_t>(c.seed % 5),
                          .max_offset = 64 + static_cast<std::int64_t>(c.seed)};
  Visits visits;
  const Call& call = planned.call.make(c);
  for (const Launch& launch : system.iterator.make_launches(
           *c.op, call, planned.planned.promoted.common, plan, model, nullptr))
    add_visits(launch, plan, visits);
  require_same_visits("the launches", std::move(visits), visits_of(plan));
  return Finding::kHolds;
}

// Controls.

IteratorPlan exchange_strides(const Iteration& iteration) {
  IteratorPlan plan = build_plan(iteration);
  if (plan.sizes.size() > 1 && plan.input_count > 0 && plan.inputs[0].dtype != DType::kUndefined)
    std::swap(plan.inputs[0].strides[0], plan.inputs[0].strides[1]);
  return plan;
}
IteratorPlan lose_slowest_dimension(const Iteration& iteration) {
  IteratorPlan plan = build_plan(iteration);
  if (plan.sizes.size() < 2) return plan;
  plan.sizes.erase(plan.sizes.begin());
  for_each_operand(plan,
                   [](PlanOperand& operand) { operand.strides.erase(operand.strides.begin()); });
  return plan;
}
IteratorPlan write_row_major(const Iteration& iteration) {
  IteratorPlan plan = build_plan(iteration);
  Dims strides = contiguous_strides(plan.sizes);
  for (std::int64_t& stride : strides) stride *= itemsize(plan.outputs[0].dtype);
  plan.outputs[0].strides = strides;
  return plan;
}
/// A control: dimensions are merged as if only the output's strides decided.
void coalesce_outputs(IteratorPlan& plan) {
  for (std::size_t d = plan.sizes.size(); d-- > 1;) {
    const Dims& strides = plan.outputs[0].strides;
    if (plan.sizes[d] == 0 || plan.sizes[d] * strides[d] != strides[d - 1]) continue;
    plan.sizes[d] *= plan.sizes[d - 1];
    const auto at = static_cast<std::ptrdiff_t>(d - 1);
    plan.sizes.erase(plan.sizes.begin() + at);
    for_each_operand(
        plan, [at](PlanOperand& operand) { operand.strides.erase(operand.strides.begin() + at); });
  }
}
/// A control: only the innermost pair of dimensions is merged.
void coalesce_one_pair(IteratorPlan& plan) {
  if (plan.sizes.size() < 2) return;
  IteratorPlan inner = plan;
  const auto keep_two = [](Dims& dims) { dims.erase(dims.begin(), dims.end() - 2); };
  keep_two(inner.sizes);
  for_each_operand(inner, [&](PlanOperand& operand) { keep_two(operand.strides); });
  coalesce_dimensions(inner);
  if (inner.sizes.size() == 2) return;
  const auto replace = [](Dims& dims, const Dims& by) {
    dims.erase(dims.end() - 2, dims.end());
    dims.insert(dims.end(), by.begin(), by.end());
  };
  replace(plan.sizes, inner.sizes);
  for (int i = 0; i < plan.output_count; ++i)
    replace(plan.outputs[static_cast<std::size_t>(i)].strides,
            inner.outputs[static_cast<std::size_t>(i)].strides);
  for (int i = 0; i < plan.input_count; ++i)
    if (plan.inputs[static_cast<std::size_t>(i)].dtype != DType::kUndefined)
      replace(plan.inputs[static_cast<std::size_t>(i)].strides,
              inner.inputs[static_cast<std::size_t>(i)].strides);
}
void never_coalesce(IteratorPlan&) {}
Dims contiguous_output(const Iteration& iteration) { return contiguous_strides(iteration.shape); }
/// A control: a plan is split into halves that are both rounded down, so that elements are lost.
std::vector<IteratorPlan> lose_odd_ones(const IteratorPlan& plan, std::int64_t limit) {
  std::vector<IteratorPlan> pieces = split_32bit(plan, limit);
  if (pieces.size() > 1 && !pieces[1].sizes.empty() && pieces[1].sizes[0] > 1) --pieces[1].sizes[0];
  return pieces;
}
std::vector<IteratorPlan> split_at_twice(const IteratorPlan& plan, std::int64_t limit) {
  return split_32bit(plan, limit * 2);
}
std::vector<IteratorPlan> split_below(const IteratorPlan& plan, std::int64_t limit) {
  return split_32bit(plan, std::max<std::int64_t>(limit - 1, 16));
}
/// A control: launches leave out the elements after the last whole vector.
std::vector<Launch> leave_tails_out(const Op& op, const Call& call, DType common,
                                    const IteratorPlan& plan, const DeviceModel& model,
                                    Fault* fault) {
  std::vector<Launch> launches = make_launches(op, call, common, plan, model, fault);
  for (Launch& launch : launches) {
    if (auto* const args = std::get_if<ContiguousArgs>(&launch.args))
      args->elements.elements = args->elements.head + args->elements.vectors * args->elements.width;
    else
      std::get<GeneralArgs>(launch.args).groups.elements -= 1;
  }
  return launches;
}

}  // namespace

std::span<const Property> plan_properties() {
  using Steps = IteratorSteps;
  static const std::vector<Property> properties{
      law(Asks::kIterator, "APlanMeetsTheElementsOfBroadcasting",
          "A reordered and coalesced plan visits each tuple of addresses of the broadcast shape "
          "once.",
          kPlanCalls, &check_visits,
          {.what = "two strides of an input are exchanged",
           .spoil_iterator = &replace<&Steps::build_plan, &exchange_strides>}),
      law(Asks::kIterator, "APlanHasTheElementsOfTheShape",
          "A plan has as many elements as the broadcast shape, and no more dimensions.", kPlanCalls,
          &check_count,
          {.what = "the slowest dimension is lost",
           .spoil_iterator = &replace<&Steps::build_plan, &lose_slowest_dimension>}),
      law(Asks::kIterator, "APlanWritesEachElementOnce",
          "A plan writes each element of each output exactly once, and nothing else.", kPlanCalls,
          &check_writes_once,
          {.what = "outputs are treated as contiguous",
           .spoil_iterator = &replace<&Steps::build_plan, &write_row_major>}),
      law(Asks::kIterator, "CoalescingKeepsTheVisits",
          "Merged dimensions visit the same addresses in the same order.", kPlanCalls,
          &check_coalesced,
          {.what = "the strides of inputs are ignored",
           .spoil_iterator = &replace<&Steps::coalesce, &coalesce_outputs>}),
      law(Asks::kIterator, "CoalescingIsIdempotent",
          "Coalescing adds no dimension, and leaves none that it would merge.", kPlanCalls,
          &check_coalesced_dims,
          {.what = "only the innermost pair is merged",
           .spoil_iterator = &replace<&Steps::coalesce, &coalesce_one_pair>}),
      law(Asks::kIterator, "ContiguousOperandsTakeOneLoop",
          "Contiguous operands of one shape coalesce to one dimension.", kCallsOfOneShape,
          &check_one_loop,
          {.what = "nothing is merged",
           .spoil_iterator = &replace<&Steps::coalesce, &never_coalesce>}),
      law(Asks::kIterator, "TheFastSetupIsTheGeneralOne",
          "Where the fast set-up applies, it gives the result the strides of the general set-up.",
          kCallsOfOneLayout, &check_fast_setup,
          {.what = "the fast set-up makes contiguous results",
           .spoil_iterator = &replace<&Steps::output_strides, &contiguous_output>}),
      law(Asks::kIterator, "PiecesCoverAPlanOnce",
          "The pieces of a plan that is split visit what the plan visits, each tuple once, "
          "whatever the limit.",
          kPlanCalls, &check_pieces,
          {.what = "the second piece of an odd size is too short",
           .spoil_iterator = &replace<&Steps::split, &lose_odd_ones>}),
      law(Asks::kIterator, "PiecesFitTheLimit",
          "No piece has more elements, or reaches farther, than the limit.", kPlanCalls,
          &check_pieces_fit,
          {.what = "pieces are twice as large",
           .spoil_iterator = &replace<&Steps::split, &split_at_twice>}),
      law(Asks::kIterator, "APlanThatFitsStaysWhole",
          "A plan is split exactly if its bytes or elements are more than the limit.", kPlanCalls,
          &check_stays_whole,
          {.what = "it is split at the limit itself",
           .spoil_iterator = &replace<&Steps::split, &split_below>}),
      law(Asks::kIterator, "LaunchesCoverAPlanOnce",
          "The threads of a plan's launches, however few or many, visit each tuple of addresses of "
          "the plan once.",
          kPlanCalls, &check_launches,
          {.what = "elements after the last vector are left out",
           .spoil_iterator = &replace<&Steps::make_launches, &leave_tails_out>}),
  };
  return properties;
}

}  // namespace upcast::properties
