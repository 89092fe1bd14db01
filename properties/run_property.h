// Runs a property on a system with RapidCheck.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "properties/property.h"

namespace upcast {

/// Shows an example in RapidCheck's output as the line that reproduces it. It is declared wherever
/// examples are drawn, because a template of RapidCheck looks for it.
void showValue(const Case& c, std::ostream& os);

}  // namespace upcast

namespace upcast::properties {

struct RunSettings {
  std::uint64_t seed = 1;
  int examples = 1000;
  /// An example to replay, as a failure prints it; "" for none.
  std::string reproduce{};
};

/// Reads RC_PARAMS ("seed=7 max_success=100000"), RapidCheck's own variable. Throws UsageError for
/// one that RapidCheck cannot read.
RunSettings settings_from_environment();

struct PropertyRun {
  int held = 0;
  int vacuous = 0;
  int excluded = 0;
  std::optional<Case> counterexample{};  // shrunk
  std::string failure{};                 // why it fails; empty if the property holds
  std::string reproduce{};               // replays it

  int examples() const { return held + vacuous + excluded; }
};

PropertyRun run_property(const Property& property, const System& system,
                         const RunSettings& settings);

/// Why the property is broken for one case; nothing if it holds. Exclusions do not count.
std::optional<std::string> breaks(const Property& property, const System& system, const Case& c);

/// The generator's examples in dtypes that the system has, with structural shrinking.
rc::Gen<Case> examples_of(const Generator& generator, const Promotion& promotion);

}  // namespace upcast::properties
