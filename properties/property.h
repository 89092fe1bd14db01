// A property is data: a sentence, a generator of examples, a check, and a broken implementation
// that it must catch.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "impl/ops/op_set.h"
#include "properties/draw.h"
#include "properties/system.h"

namespace upcast::properties {

/// What the examples of a generator must cover. At least `distinct` features that start with
/// `feature` must each be in `percent` percent of 1,000 examples. properties/coverage.h names the
/// features.
struct Demand {
  std::string_view feature;  // "dtype"
  int distinct;
  double percent;
};

/// Callables of the catalogue that a generator leaves out (properties/omissions.h).
struct Omission {
  std::string_view reason;
  bool (*leaves_out)(const Op& op, int overload, Form form);
  // Grounds as in Exclusion: "entry: ID", "law: ID", "witness: SOURCE", "ambiguous: WHY".
  std::string_view grounds;
};

/// Where a property's examples come from. An example is always a Case, so it prints, parses and
/// shrinks like any case.
struct Generator {
  std::string_view name;
  Case (*draw)(Draw& draw);
  /// Which cases shrinking may try. A case for which it returns false is not tried. Null: any case
  /// may be.
  bool (*admits)(const Case& c) = nullptr;
  std::vector<Demand> demands{};
  /// Which ops a generator of the whole catalogue leaves out, and why. Empty if the generator draws
  /// from a list of callables.
  std::span<const Omission> left_out{};
};

enum class Finding : std::uint8_t {
  kHolds,
  kVacuous  // the example says nothing, for instance because the system refuses
};

/// A broken implementation that a property must catch. It is ours with other rules, or with
/// functions that spoil what it does.
struct Control {
  // The mistake in words: "int8 with uint8 gives int8".
  std::string_view what;
  Rules (*rules)() = nullptr;  // null: PyTorch's
  // Functions that replace those of the rules.
  PromotionFunctions promotion{};
  void (*spoil)(const Case& c, Answer& answer) = nullptr;  // a function that changes an answer
  void (*spoil_codecs)(Codecs& codecs) = nullptr;
  void (*spoil_storages)(const Case& c,
                         Storages& storages) = nullptr;  // changes what a call left in memory
  void (*spoil_iterator)(IteratorSteps& iterator) = nullptr;
  // The system into which the mistake is put: impl:cpu, or a rule book. Without the mistake it must
  // not be accused.
  std::string_view right = "impl:cpu";
};

inline constexpr std::string_view kEverySystem = "*";
/// Stands for all systems that follow PyTorch: LibTorch, our implementation and controls. It covers
/// no other rule book.
inline constexpr std::string_view kPyTorch = "PyTorch";

/// Cases that a property leaves out for a system: the system breaks the property there, by design
/// or by a bug, or must not be asked.
struct Exclusion {
  std::string_view system;  // a system's name as "libtorch:cpu", kPyTorch or kEverySystem
  std::string_view reason;
  /// A case line with which the system breaks the property; "" if asking would end the process.
  std::string_view counterexample;
  OpSet ops{};  // excludes only calls of these ops; empty: of any op
  // Excludes only cases for which this function is true; null: any case.
  bool (*matches)(const Case& c) = nullptr;
  /// What justifies the exclusion. "entry: ID, ID" names known differences; "law: ID, ID" broken
  /// laws (cases/laws/broken_laws.toml); "witness: SOURCE" a source; "ambiguous: WHY" says why it
  /// is unknown who is right. A test checks all grounds.
  std::string_view grounds{};

  /// Whether the exclusion covers all cases. The system then does not have the property, and is not
  /// asked.
  bool covers_everything() const { return ops.empty() && matches == nullptr; }
  bool covers(const Case& c) const {
    return (ops.empty() || ops.contains(*c.op)) && (matches == nullptr || matches(c));
  }
};

/// Which part of a System a property asks. A system without that part is left out.
enum class Asks : std::uint8_t {
  kPromotion,   // promote_types, which rule books have too
  kPriorities,  // result_type of operands with priorities, which some rule books have
  kUndefined,   // result_type with undefined tensors, which only PyTorch has
  kCasts,       // can_cast, which some rule books have
  kCalls,
  kCodecs,   // the project's texts and codecs; only impl:cpu is asked
  kIterator  // the iterator's steps; only impl:cpu is asked
};

/// Checks a system with an example. If the system breaks the property, it throws by RC_ASSERT or
/// RC_FAIL.
using Check = std::function<Finding(const System& system, const Case& c)>;

/// Makes a Check from a check of the system's answer. The finding is vacuous if the system refuses.
Check of_answer(void (*check)(const System& system, const Case& c, const Answer& answer));

struct Property {
  std::string_view name;   // the claim as a name in CamelCase; no two properties have the same
  std::string_view claim;  // the claim as one sentence
  Asks asks;
  const Generator* generator;
  Check check;
  Control control;
  std::vector<Exclusion> exclusions{};
  /// The share of examples, in percent, that must say something: they are neither vacuous nor
  /// excluded.
  int meaningful_percent = 50;
};

/// Makes a property, for a row in the table of its topic.
Property law(Asks asks, std::string_view name, std::string_view claim, const Generator& generator,
             Check check, Control control, std::vector<Exclusion> exclusions = {},
             int meaningful_percent = 50);
/// Makes a property that asks about calls.
Property law(std::string_view name, std::string_view claim, const Generator& generator, Check check,
             Control control, std::vector<Exclusion> exclusions = {}, int meaningful_percent = 50);

/// Makes a control that replaces one part of a system by a broken one.
template <auto Part, auto Broken, class Parts>
void replace(Parts& parts) {
  parts.*Part = Broken;
}

/// The properties of one topic, which become a suite of tests.
struct Topic {
  std::string_view name;  // "Promotion"
  std::span<const Property> properties;
};

/// The topics of all properties.
std::span<const Topic> topics();

/// The generators of all properties. A test checks their coverage.
std::span<const Generator* const> generators();

/// Cases that no property may ask of a system, because they would end its process or take years.
std::span<const Exclusion> deadly_cases();

/// Whether an exclusion applies to this system.
bool concerns(const Exclusion& exclusion, const System& system);

/// A property that a rule book breaks by design, as rulebook_breaks.toml declares.
struct Break {
  std::string_view property, system;
  std::string_view counterexample;  // a case line with which the rule book breaks the property
  std::string_view reason;
};
std::span<const Break> rulebook_breaks();

/// Properties that say nothing about a rule book: for every example the finding is vacuous. So
/// there is no counterexample.
std::span<const Break> rulebook_silences();
/// Whether rulebook_silences() declares that the property says nothing about the system.
bool is_silent(const Property& property, const System& system);

/// Whether a system has the part that a property asks for.
bool answers(const Property& property, const System& system);

/// Whether a property is tested with a system.
bool applies(const Property& property, const System& system);

/// A system with the name "control", which is the broken implementation.
System make_control(const Control& control);

}  // namespace upcast::properties
