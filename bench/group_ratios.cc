#include "bench/group_ratios.h"

#include <cmath>

namespace upcast::bench {

std::vector<GroupRatios> group_ratios(std::span<const Row> rows) {
  std::map<std::string, std::vector<const Row*>> by_name;
  for (const Row& row : rows)
    if (!std::isnan(row.ratio()))
      by_name[row.name.substr(0, row.name.find_first_of(" /"))].push_back(&row);
  std::vector<GroupRatios> groups;
  for (const auto& [name, members] : by_name) {
    const Row& slowest = **std::ranges::min_element(members, {}, &Row::ratio);
    std::vector<double> ratios;
    for (const Row* row : members) ratios.push_back(row->ratio());
    groups.push_back({.name = name,
                      .rows = static_cast<int>(members.size()),
                      .median = quantile(ratios, 0.5),
                      .lowest = slowest.ratio(),
                      .slowest = slowest.name});
  }
  return groups;
}

}  // namespace upcast::bench
