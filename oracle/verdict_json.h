// A verdict as JSON: what a record of the run store keeps (docs/run_store.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "oracle/verdict.h"

namespace upcast {

/// A verdict as JSON. Fields have the names of the struct's; those with their default value are
/// left out. An infinite error is the text "Infinity", because JSON has no such number.
void to_json(nlohmann::json& json, const Verdict& verdict);

/// Throws UsageError for a name that this version does not know, and what nlohmann throws for a
/// field of another type.
void from_json(const nlohmann::json& json, Verdict& verdict);

}  // namespace upcast
