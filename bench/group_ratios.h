// What the rows of a benchmark come to, group by group.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/measure.h"

namespace upcast::bench {

/// The ratios of the rows whose names begin alike, up to the first space or slash.
struct GroupRatios {
  std::string name;
  int rows = 0;
  double median = kNotMeasured, lowest = kNotMeasured;
  std::string slowest;  // the row of the lowest ratio
};

/// In the order of the names. Rows without a ratio are left out.
std::vector<GroupRatios> group_ratios(std::span<const Row> rows);

}  // namespace upcast::bench
