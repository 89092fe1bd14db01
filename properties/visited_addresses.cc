#include "properties/visited_addresses.h"

#include "properties/layout_checks.h"

namespace upcast::properties {
namespace {

/// Calls f(thread) for each thread that a launch starts.
template <class F>
void for_each_thread(const Launch& launch, F f) {
  for (std::uint32_t block = 0; block < launch.blocks; ++block)
    for (std::uint32_t thread = 0; thread < launch.threads; ++thread)
      f(LaunchIndex{block, thread, launch.blocks, launch.threads});
}

bool is_there(const IteratorPlan& plan, int input) {
  return plan.inputs[static_cast<std::size_t>(input)].dtype != DType::kUndefined;
}

void add_contiguous(const Launch& launch, const ContiguousArgs& args, const IteratorPlan& plan,
                    Visits& visits) {
  const auto add = [&](std::uint32_t element) {
    Visit visit{address_of(args.output) + element * std::int64_t{itemsize(plan.outputs[0].dtype)}};
    for (int i = 0; i < plan.input_count; ++i) {
      if (!is_there(plan, i)) continue;
      const auto at = static_cast<std::size_t>(i);
      const bool each = args.access[at] == Access::kEach;
      visit.push_back(address_of(args.inputs[at]) +
                      (each ? element * std::int64_t{itemsize(plan.inputs[at].dtype)} : 0));
    }
    visits.push_back(std::move(visit));
  };
  const VectorElements& elements = args.elements;
  for_each_thread(launch, [&](LaunchIndex at) {
    for (std::uint32_t v = first_group(at); v < elements.vectors; v += at.all_threads())
      for (std::uint32_t i = 0; i < elements.width; ++i) add(elements.first_element(v) + i);
    for (std::uint32_t s = first_group(at); s < elements.singles(); s += at.all_threads())
      add(elements.single_element(s));
  });
}

void add_general(const Launch& launch, const GeneralArgs& args, const IteratorPlan& plan,
                 Visits& visits) {
  const auto add = [&](std::uint32_t element) {
    const OffsetCalculator::Offsets offsets =
        args.offsets.offsets(element, plan.output_count + plan.input_count);
    Visit visit;
    for (int i = 0; i < plan.output_count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      visit.push_back(address_of(args.outputs[at].data) + offsets[at]);
    }
    for (int i = 0; i < plan.input_count; ++i) {
      if (!is_there(plan, i)) continue;
      const auto at = static_cast<std::size_t>(i);
      const bool each = args.inputs[at].access == Access::kEach;
      const std::uint32_t offset = offsets[static_cast<std::size_t>(plan.output_count) + at];
      visit.push_back(address_of(args.inputs[at].data) + (each ? offset : 0));
    }
    visits.push_back(std::move(visit));
  };
  for_each_thread(launch, [&](LaunchIndex at) {
    for (std::uint32_t g = first_group(at); g < args.groups.count(); g += at.all_threads()) {
      const ElementGroup group = args.groups.group(g);
      for (std::uint32_t i = 0; i < group.count; ++i) add(group.elements[i]);
    }
  });
}

}  // namespace

Visits visits_of(const IteratorPlan& plan) {
  Visits visits;
  for_each_index(plan.sizes, [&](const Dims& index) {
    Visit& visit = visits.emplace_back();
    for_each_operand(plan, [&](const PlanOperand& operand) {
      std::int64_t address = address_of(operand.data);
      for (std::size_t d = 0; d < index.size(); ++d) address += index[d] * operand.strides[d];
      visit.push_back(address);
    });
  });
  return visits;
}

void add_visits(const Launch& launch, const IteratorPlan& plan, Visits& visits) {
  if (const auto* const args = std::get_if<ContiguousArgs>(&launch.args))
    add_contiguous(launch, *args, plan, visits);
  else
    add_general(launch, std::get<GeneralArgs>(launch.args), plan, visits);
}

}  // namespace upcast::properties
