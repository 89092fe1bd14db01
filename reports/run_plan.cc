#include "reports/run_plan.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "impl/core/error.h"

namespace upcast::reports {

std::vector<int> axis_positions(const GridRow& row, int64_t index) {
  std::vector<int> positions(row.axes.size());
  for (size_t axis = row.axes.size(); axis-- > 0;) {
    const auto size = static_cast<int64_t>(row.axes[axis].size());
    positions[axis] = static_cast<int>(index % size);
    index /= size;
  }
  return positions;
}

std::string case_line(const GridRow& row, int64_t index) {
  check(index >= 0 && index < row.count, "a case of its row");
  if (row.axes.empty()) return row.line_template;
  const std::vector<int> positions = axis_positions(row, index);
  const std::string_view text = row.line_template;
  std::string line;
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t close = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    const bool is_value_list = at > 0 && text[at - 1] == ']';
    if (close != std::string_view::npos && !is_value_list) {
      size_t axis = 0;
      const char* end = text.data() + close;
      const auto [parsed, error] = std::from_chars(text.data() + at + 1, end, axis);
      if (error == std::errc{} && parsed == end && axis < row.axes.size()) {
        line += row.axes[axis][positions[axis]];
        at = close;
        continue;
      }
    }
    line += text[at];
  }
  return line;
}

const GridRow& row_of(const std::vector<GridRow>& rows, int64_t case_index) {
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), case_index,
                       [](int64_t index, const GridRow& row) { return index < row.first; });
  check(after != rows.begin(), "the first row starts at case 0");
  return *std::prev(after);
}

}  // namespace upcast::reports
