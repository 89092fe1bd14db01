// Summarises the rows of a benchmark: their ratios, group by group.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace upcast::bench {

/// The ratios of one group: the rows whose names are equal up to the first space or slash.
struct GroupRatios {
  std::string name;
  int rows = 0;
  double median = kNotMeasured, lowest = kNotMeasured;
  std::string slowest;  // the name of the row with the lowest ratio
};

/// The groups, ordered by name. Rows without a ratio are left out.
std::vector<GroupRatios> group_ratios(std::span<const Row> rows);

}  // namespace upcast::bench
