// Our implementation with one mistake in it, for measuring how soon a fuzzer finds it. Properties
// and mutation testing plant others; these are chosen by name in a running program.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "impl/core/dtype_set.h"
#include "impl/promotion/rules.h"
#include "oracle/subject.h"

namespace upcast {

/// The calls that a mistake affects.
struct PlantedWhere {
  std::string_view op = "";         // "": any op
  DTypeSet commons = kElementwise;  // common dtypes
};

/// A rule of promotion is not applied.
struct WithoutRule {
  Rule rule;
};
/// promote_types gives a wrong dtype for one pair of dtypes, in one order of the two.
struct WrongCell {
  DType a, b, wrong;
};
/// The kernel of another op runs.
struct OtherKernel {
  std::string_view callable;
};
/// The first two inputs change places.
struct SwappedInputs {};
/// An input of one dtype that is converted is read as another one of the same size.
struct ReadAs {
  DType from, to;
};
/// An output of one dtype that is converted to is written as another one of the same size.
struct WrittenAs {
  DType from, to;
};
/// The strides of a plan are wrong; never so that memory of others is touched.
enum class StrideMistake : std::uint8_t {
  kSlowestStands,           // input 1, of two dimensions or more: the slowest has stride 0
  kFastestRunsBackwards,    // input 0, of three dimensions or more
  kStandsNextToExpanded,    // input 0 has stride 0 where input 1 has
  kSwapsEqualSizes,         // input 0, of two dimensions of one size: their strides change places
  kStandsNextToStridedOut,  // input 0 stands still where the output is strided
  kStridedRunsBackwards,    // input 0 where it is strided itself
};
/// The elements after the last whole group of `every` are computed from their neighbours: input
/// `input` is read one element too early. `outermost`: along the slowest dimension. `whole`: where
/// there is no such rest, the last element is the one.
struct TailMistake {
  std::int64_t every;
  int input = 0;
  bool outermost = false;
  bool whole = false;
};

struct PlantedBug {
  std::string_view name;
  std::string_view example;  // a case line that shows it
  std::variant<WithoutRule, WrongCell, OtherKernel, SwappedInputs, ReadAs, WrittenAs, StrideMistake,
               TailMistake>
      mistake;
  PlantedWhere where{};
};

std::span<const PlantedBug> planted_bugs();

/// Makes "planted?bug=NAME": impl:cpu with that mistake. Throws UsageError for an unknown name,
/// listing the known ones.
std::unique_ptr<Subject> make_planted_subject(const Side& side);

/// Makes "dying?SIGABRT=neg(int8[2": impl:cpu, which raises the signal at cases whose line starts
/// so. Throws UsageError for another name.
std::unique_ptr<Subject> make_dying_subject(const Side& side);

/// Adds both to the subjects of a program.
void register_planted_subjects();

}  // namespace upcast
