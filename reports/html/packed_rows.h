// Packs the rows of a run for the page: column arrays, deflated together. A grid has tens of
// thousands of rows, most of them with a few cases.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/run_data.h"

namespace upcast::reports {

/// {summed: how many cases are counted but not listed, rows: packed columns, planes
/// [base64(deflate(bytes))], small: by name the byte columns of all rows of at most kSmallRow
/// cases, one after the other}; page/data.js has the layout, and reads it.
nlohmann::ordered_json packed_rows(const RunData& data);

/// How many cases a small row has at most. Larger rows have planes of their own. Equal planes are
/// shared, because most ops promote alike.
inline constexpr int64_t kSmallRow = 256;

}  // namespace upcast::reports
