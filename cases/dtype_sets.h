// `{a,b}` where a dtype may stand: one line becomes several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast::internal {

/// A line with its sets replaced by one choice each.
struct ExpandedLine {
  std::string text;
  std::vector<std::size_t> origin;  // of each character, in the line as written
};

/// The product of the sets, last one fastest; the line itself where there is none. A `{` begins a
/// set after `(`, `,`, `=` or `->`, else a value list. Faults on an empty or unclosed set, and on a
/// set in the expectation without exactly one other of its length.
std::vector<ExpandedLine> expand_dtype_sets(std::string_view line);

}  // namespace upcast::internal
