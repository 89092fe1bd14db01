#include "reports/side_json.h"

#include "oracle/side.h"

namespace upcast::reports {

nlohmann::ordered_json side_json(std::string_view side_name) {
  const Side side = parse_side(side_name);
  auto settings = nlohmann::ordered_json::object();
  for (const auto& [key, value] : side.settings) settings[key] = value;
  return {{"vendor", name(side.vendor)},
          {"target", side.target},
          {"version", side.version},
          {"device", name(side.device)},
          {"capability", side.capability},
          {"settings", settings},
          {"answers_values", side.answers_values},
          {"bounds", name(side.bounds)},
          {"held_to", words(side.bounds)}};
}

}  // namespace upcast::reports
