// Wrong answers of an oracle that depend on the operands: small models of a known difference, named
// by `oracle_answer = "model:NAME"` in cases/known_differences.toml.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// What the oracle answers to the case, wrongly; `right` is the right answer. Nothing where the
/// model does not speak of such a case.
using KnownModel = std::optional<Answer> (*)(const Case& c, const Answer& right);

/// Null where there is none.
KnownModel find_known_model(std::string_view name);
/// "a, b, c", or "none".
std::string known_model_names();

}  // namespace upcast
