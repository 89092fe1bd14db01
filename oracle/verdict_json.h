// A verdict as JSON: what a record of the run store keeps (docs/run_store.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "oracle/verdict.h"

namespace upcast {

/// A verdict as JSON. Keys are the names of the struct's fields; fields with their default value
/// are left out. An infinite error is the text "Infinity", because JSON has no such number.
void to_json(nlohmann::json& json, const Verdict& verdict);

/// Reads a verdict from JSON. Throws UsageError for an enumerator that this version does not know,
/// and nlohmann's exception for a field of another type.
void from_json(const nlohmann::json& json, Verdict& verdict);

}  // namespace upcast
