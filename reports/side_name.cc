#include "reports/side_name.h"

#include "oracle/side.h"

namespace upcast::reports {

std::string side_name(const std::string& side,
                      const std::map<std::string, std::string>& environment,
                      const std::string& key) {
  Side parsed = parse_side(side);
  if (parsed.vendor == Vendor::kPlugin || parsed.vendor == Vendor::kProcess) {
    const auto told = environment.find(key);
    if (told == environment.end()) return side;
    const std::string settings = settings_text(parsed);
    return settings.empty() ? told->second : told->second + " (" + settings + ")";
  }
  const auto is_path = [](const Side::Setting& setting) { return setting.key == "python"; };
  return std::erase_if(parsed.settings, is_path) == 0 ? side : to_string(parsed);
}

}  // namespace upcast::reports
