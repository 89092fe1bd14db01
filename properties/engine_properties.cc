// Properties of threads, CPU capabilities and engines: whichever computes a call, the bits are the
// same.
#include <set>

#include "oracle/impl_subject.h"
#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

Finding require_as(const System& system, const Case& c, std::string_view other) {
  const Answer answer = system.answer(c);
  require_all_same("asked of " + std::string(other), answer, make_impl_system(other).answer(c));
  return finding_of(answer);
}

Finding check_threads(const System& system, const Case& c) {
  return require_as(system, c, "impl:cpu?threads=3");
}
Finding check_capability(const System& system, const Case& c) {
  return require_as(system, c, "impl:cpu?capability=baseline");
}
/// Whether elements of the answer share an address. It then holds the element written last, and
/// each engine writes in an order of its own.
bool shares_elements(const Answer& answer) {
  const std::vector<std::int64_t> positions = positions_of(answer.sizes, answer.strides);
  return std::set<std::int64_t>(positions.begin(), positions.end()).size() < positions.size();
}

Finding check_engines(const System& system, const Case& c) {
  if (const Answer answer = system.answer(c); answered(answer) && shares_elements(answer))
    return Finding::kVacuous;
  return require_as(system, c, system.name == "impl:cpu" ? "impl:emulated" : "impl:cpu");
}

// Controls.

/// A control: the first element after the middle becomes a copy of the one before it.
void spoil_middle(const Case&, Answer& answer) {
  const std::int64_t size = itemsize(answer.dtype);
  const std::int64_t middle = answer.tag == Answer::Tag::kTensor ? numel(answer.sizes) / 2 : 0;
  if (middle == 0 || answer.bytes.empty()) return;
  std::copy_n(answer.bytes.begin() + (middle - 1) * size, size,
              answer.bytes.begin() + middle * size);
}
/// A control: the last bit of an element changes, as it could with a fused operation.
void spoil_last_bit(const Case&, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor && is_floating(answer.dtype) && answer.bytes.size() > 16)
    answer.bytes[16] ^= std::byte{1};
}

std::vector<Exclusion> only_of_the_cpu(std::string_view reason) {
  return {{.system = "impl:emulated",
           .reason = reason,
           .counterexample = "",
           .grounds = "witness: no other system has that setting"},
          {.system = "libtorch:cpu",
           .reason = reason,
           .counterexample = "",
           .grounds = "witness: no other system has that setting"}};
}

}  // namespace

std::span<const Property> engine_properties() {
  static const std::vector<Property> properties{
      law("ThreadsDoNotMatter", "Three threads give the answers of one thread.", kLongCalls,
          &check_threads,
          {.what = "the element after the middle is a copy of the one before it",
           .spoil = &spoil_middle},
          only_of_the_cpu("a setting of impl:cpu")),
      law("CapabilitiesDoNotMatterToExactOps",
          "Kernels for this processor give the same bits as those for any processor, if the op "
          "allows no error.",
          kExactCalls, &check_capability,
          {.what = "an element has another last bit", .spoil = &spoil_last_bit},
          only_of_the_cpu("a setting of impl:cpu")),
      law("EnginesAgreeOnExactOps",
          "The CPU's kernels and the GPU's give the same bits, if the op allows no error.",
          kExactCalls, &check_engines,
          {.what = "an element has another last bit", .spoil = &spoil_last_bit},
          {{.system = "libtorch:cpu",
            .reason = "the grids compare it with ours, and also use the known differences",
            .counterexample = "",
            .grounds = "witness: ctest grid.full asks the same of more cases"}}),
  };
  return properties;
}

}  // namespace upcast::properties
