// Runs a property on a system with RapidCheck.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "properties/property.h"

namespace upcast {

/// Shows an example in RapidCheck's output as the line that reproduces it. It must be declared
/// wherever examples are drawn, because a template of RapidCheck looks it up.
void showValue(const Case& c, std::ostream& os);

}  // namespace upcast

namespace upcast::properties {

struct RunSettings {
  std::uint64_t seed = 1;
  int examples = 1000;
  /// The text of an example to replay, as a failure prints it; "": draw examples.
  std::string reproduce{};
};

/// Reads RapidCheck's variable RC_PARAMS ("seed=7 max_success=100000"). Throws UsageError if
/// RapidCheck could not read it.
RunSettings settings_from_environment();

struct PropertyRun {
  int held = 0;
  int vacuous = 0;
  int excluded = 0;
  // The simplest case that breaks the property, after shrinking.
  std::optional<Case> counterexample{};
  std::string failure{};  // why the property does not hold; empty if it does
  // The text for RunSettings::reproduce that replays the failure.
  std::string reproduce{};

  int examples() const { return held + vacuous + excluded; }
};

PropertyRun run_property(const Property& property, const System& system,
                         const RunSettings& settings);

/// Why a case breaks the property; nothing if it does not. Exclusions are ignored.
std::optional<std::string> breaks(const Property& property, const System& system, const Case& c);

/// A RapidCheck generator of examples whose dtypes the system has. Shrinking tries simpler cases of
/// the same structure.
rc::Gen<Case> examples_of(const Generator& generator, const Promotion& promotion);

}  // namespace upcast::properties
