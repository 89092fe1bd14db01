// Packs the rows of a run for the page: one array a column, deflated together. A grid has tens of
// thousands of rows, and most of them have a few cases.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/run_data.h"

namespace upcast::reports {

/// The rows as {summed: how many cases are counted but not listed, rows: packed columns, planes
/// [base64(deflate(bytes))], small: by name the byte columns of all rows of at most kSmallRow
/// cases, one after the other}. page/data.js describes the layout, and reads it.
nlohmann::ordered_json packed_rows(const RunData& data);

/// The most cases of a small row. Larger rows have planes of their own. Equal planes are stored
/// once, because most ops promote alike.
inline constexpr int64_t kSmallRow = 256;

}  // namespace upcast::reports
