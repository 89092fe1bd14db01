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

/// At least `distinct` features that start with `feature` must each be in `percent` of 1,000
/// examples. properties/coverage.h names the features.
struct Demand {
  std::string_view feature;  // "dtype"
  int distinct;
  double percent;
};

/// Callables of the catalogue that a generator leaves out (properties/omissions.h).
struct Omission {
  std::string_view reason;
  bool (*leaves_out)(const Op& op, int overload, Form form);
  std::string_view grounds;  // as those of an Exclusion
};

/// Where examples come from. An example is always a Case: it prints, parses and shrinks like any.
struct Generator {
  std::string_view name;
  Case (*draw)(Draw& draw);
  /// Which cases shrinking may try: a case for which it is false is not tried. Null: any case.
  bool (*admits)(const Case& c) = nullptr;
  std::vector<Demand> demands{};
  /// The ops that a generator of the whole catalogue leaves out, and why. Empty if the generator
  /// draws from a list of callables instead.
  std::span<const Omission> left_out{};
};

enum class Finding : std::uint8_t {
  kHolds,
  kVacuous  // the example says nothing: every side refuses
};

/// A broken implementation: ours with other rules, or with a function that changes its answers.
struct Control {
  std::string_view what;                                   // "int8 with uint8 gives int8"
  Rules (*rules)() = nullptr;                              // null: PyTorch's
  PromotionFunctions promotion{};                          // instead of rules
  void (*spoil)(const Case& c, Answer& answer) = nullptr;  // after it answered
  void (*spoil_codecs)(Codecs& codecs) = nullptr;
  void (*spoil_storages)(const Case& c,
                         Storages& storages) = nullptr;  // changes what the call left in memory
  void (*spoil_iterator)(IteratorSteps& iterator) = nullptr;
  std::string_view right = "impl:cpu";  // or the rule book that is broken; it is not accused itself
};

inline constexpr std::string_view kEverySystem = "*";
/// Systems that follow PyTorch: LibTorch, ours, its controls. Other rule books are not excused.
inline constexpr std::string_view kPyTorch = "PyTorch";

/// Cases in which a system breaks a property, by design or by a bug, or that must not be asked.
struct Exclusion {
  std::string_view system;  // "libtorch:cpu", kPyTorch or kEverySystem
  std::string_view reason;
  /// A case line that breaks the property on the system; "" if asking would end the process.
  std::string_view counterexample;
  OpSet ops{};                               // only these ops; empty: any op
  bool (*matches)(const Case& c) = nullptr;  // null: any case
  /// What justifies the exclusion: "entry: ID, ID" of known differences, "law: ID, ID" of broken
  /// laws (cases/laws/broken_laws.toml), "witness: SOURCE", or "ambiguous: WHY" where nothing says
  /// who is right. A test checks all of them.
  std::string_view grounds{};

  /// Whether the system does not have the property at all. It is then not asked.
  bool covers_everything() const { return ops.empty() && matches == nullptr; }
  bool covers(const Case& c) const {
    return (ops.empty() || ops.contains(*c.op)) && (matches == nullptr || matches(c));
  }
};

/// The part of a System that is asked.
enum class Asks : std::uint8_t {
  kPromotion,   // promote_types; rule books have it too
  kPriorities,  // result_type of operands with priorities; also of rule books that have it
  kUndefined,   // result_type with undefined tensors, which PyTorch alone has
  kCasts,       // can_cast; also of rule books that have it
  kCalls,
  kCodecs,   // the project's own: only impl:cpu is asked
  kIterator  // its steps, likewise
};

/// Checks an example. Throws by RC_ASSERT or RC_FAIL if it breaks the property.
using Check = std::function<Finding(const System& system, const Case& c)>;

/// A check of the system's answer. It is vacuous if the system refuses.
Check of_answer(void (*check)(const System& system, const Case& c, const Answer& answer));

struct Property {
  std::string_view name;   // a claim in CamelCase, unique
  std::string_view claim;  // one sentence
  Asks asks;
  const Generator* generator;
  Check check;
  Control control;
  std::vector<Exclusion> exclusions{};
  /// How many percent of the examples must be neither vacuous nor excluded.
  int meaningful_percent = 50;
};

/// Makes a row of a table.
Property law(Asks asks, std::string_view name, std::string_view claim, const Generator& generator,
             Check check, Control control, std::vector<Exclusion> exclusions = {},
             int meaningful_percent = 50);
/// Makes a row whose property asks calls.
Property law(std::string_view name, std::string_view claim, const Generator& generator, Check check,
             Control control, std::vector<Exclusion> exclusions = {}, int meaningful_percent = 50);

/// Makes a control that replaces one part of a system by a broken one.
template <auto Part, auto Broken, class Parts>
void replace(Parts& parts) {
  parts.*Part = Broken;
}

/// The properties of one topic: a suite of tests.
struct Topic {
  std::string_view name;  // "Promotion"
  std::span<const Property> properties;
};

/// All of them.
std::span<const Topic> topics();

/// The generators of all properties. A test checks their coverage.
std::span<const Generator* const> generators();

/// Cases that no property asks of a system, since they would end its process.
std::span<const Exclusion> deadly_cases();

/// Whether an exclusion applies to a system.
bool concerns(const Exclusion& exclusion, const System& system);

/// A rule book that breaks a property, by design (rulebook_breaks.toml).
struct Break {
  std::string_view property, system;
  std::string_view counterexample;  // a case line that breaks the property there
  std::string_view reason;
};
std::span<const Break> rulebook_breaks();

/// Properties that say nothing about a rule book, whatever is asked: there is no counterexample.
std::span<const Break> rulebook_silences();
/// Whether such a silence is declared.
bool is_silent(const Property& property, const System& system);

/// Whether a system has the part that a property asks for.
bool answers(const Property& property, const System& system);

/// Whether a property is checked on a system.
bool applies(const Property& property, const System& system);

/// The control as a system, named "control".
System make_control(const Control& control);

}  // namespace upcast::properties
