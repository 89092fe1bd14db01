// Sets of dtypes, `{a,b}`, in case lines: one line becomes several.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::internal {

/// A line with its sets replaced by one choice each.
struct ExpandedLine {
  std::string text;
  std::vector<std::size_t> origin;  // for each character, its place in the line as written
};

/// Calls `take` with each line of the product of a line's sets, the last set fastest; a line
/// without sets stays itself. A `{` begins a set after `(`, `,`, `=` or `->`, else a value list. An
/// empty or unclosed set is a fault. So is a set in the expectation unless exactly one other set
/// has its length.
void expand_dtype_sets(std::string_view line, const std::function<void(const ExpandedLine&)>& take);

}  // namespace upcast::internal
