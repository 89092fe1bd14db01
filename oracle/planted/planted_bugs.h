// Our implementation with one planted mistake, for measuring how soon a fuzzer finds it. The
// mistake is chosen by name while a program runs. The mistakes of properties and of mutation
// testing are planted elsewhere.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "impl/core/dtype_set.h"
#include "impl/promotion/rules.h"
#include "oracle/subject.h"

namespace upcast {

/// The calls that a mistake affects: those of an op, in some common dtypes.
struct PlantedWhere {
  std::string_view op = "";         // name of the op; "": any op
  DTypeSet commons = kElementwise;  // common dtypes
};

/// Mistake: a rule of promotion is not applied.
struct WithoutRule {
  Rule rule;
};
/// Mistake: promote_types gives a wrong dtype for one pair of dtypes, in one order of the two.
struct WrongCell {
  DType a, b, wrong;
};
/// Mistake: the kernel of another op runs.
struct OtherKernel {
  std::string_view callable;
};
/// Mistake: the first two inputs change places.
struct SwappedInputs {};
/// Mistake: an input that needs a conversion is read as another dtype of the same size.
struct ReadAs {
  DType from, to;
};
/// Mistake: an output that needs a conversion is written as another dtype of the same size.
struct WrittenAs {
  DType from, to;
};
/// Mistake: the strides of a plan are wrong. The wrong strides never leave the call's own memory.
enum class StrideMistake : std::uint8_t {
  kSlowestStands,         // input 1: stride 0 in the slowest of two dimensions or more
  kFastestRunsBackwards,  // input 0: negates the stride of the fastest of three dimensions or more
  kStandsNextToExpanded,  // input 0 has stride 0 in dimensions where input 1 has stride 0
  kSwapsEqualSizes,       // input 0: swaps strides of the two fastest dimensions, if of one size
  // Input 0 has stride 0 in the fastest dimension if the output has gaps there.
  kStandsNextToStridedOut,
  kStridedRunsBackwards,  // input 0, if it has gaps itself: the fastest dimension backwards
};
/// Mistake: the elements after the last whole group of `every` are computed from their neighbours,
/// because input `input` is read one element too early. `outermost`: groups are counted along the
/// slowest dimension. `whole`: the mistake shows only if no elements are left after the last group,
/// and then in the last element.
struct TailMistake {
  std::int64_t every;
  int input = 0;
  bool outermost = false;
  bool whole = false;
};

struct PlantedBug {
  std::string_view name;
  std::string_view example;  // a case line that shows the bug
  std::variant<WithoutRule, WrongCell, OtherKernel, SwappedInputs, ReadAs, WrittenAs, StrideMistake,
               TailMistake>
      mistake;
  PlantedWhere where{};
};

std::span<const PlantedBug> planted_bugs();

/// Makes "planted?bug=NAME": impl:cpu with that bug. Throws UsageError for an unknown name; the
/// message lists the known ones.
std::unique_ptr<Subject> make_planted_subject(const Side& side);

/// Makes "dying?SIGABRT=neg(int8[2": impl:cpu, which raises SIGABRT at each case whose line starts
/// with "neg(int8[2". Throws UsageError for the name of an unknown signal.
std::unique_ptr<Subject> make_dying_subject(const Side& side);

/// Makes "planted?..." and "dying?..." known to make_subject().
void register_planted_subjects();

}  // namespace upcast
