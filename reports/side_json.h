// Writes a side as JSON: its properties, so that pages and programs need not parse its name.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace upcast::reports {

/// The side as {"vendor", "target", "version", "device", "capability", "settings" {key: value},
/// "answers_values", "bounds", "held_to"}. docs/schemas/run.schema.json says what these are.
nlohmann::ordered_json side_json(std::string_view name);

}  // namespace upcast::reports
