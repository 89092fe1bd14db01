// How each verdict looks, and how severe it is. The page's script (page_json.cc), its style sheet
// and what C++ writes use this table alone. So a verdict has the same colour and shape in every
// view.
#pragma once

#include <array>
#include <string_view>

#include "oracle/verdict.h"

namespace upcast::reports {

struct VerdictLook {
  std::string_view css;    // the end of CSS classes such as .m-bad, .v-bad (html/page/style.css)
  std::string_view glyph;  // its shape
  int severity = 0;        // a verdict with a higher severity is shown first
};

/// The look of each VerdictCode, by its number. All kinds of differences look alike; a chip names
/// the kind.
inline constexpr std::array<VerdictLook, kVerdictNames.size()> kVerdictLooks{
    {{"agree", "✓", 0},         // agree
     {"known", "◆", 3},         // known
     {"unjudged", "○", 2},      // not_judged
     {"bad", "✕", 10},          // differ(dtype)
     {"bad", "✕", 9},           // differ(shape)
     {"bad", "✕", 7},           // differ(strides)
     {"bad", "✕", 12},          // differ(refusal)
     {"bad", "✕", 8},           // differ(value)
     {"bad", "✕", 6},           // differ(alias)
     {"bad", "✕", 5},           // differ(nondeterminism)
     {"crash", "✱", 15},        // crash
     {"timeout", "◔", 14},      // timeout
     {"expectation", "!", 13},  // expectation
     {"agree", "✓", 1},         // within_choice
     {"bad", "✕", 11}}};        // differ(accepts)

/// The look of a case that did not run.
inline constexpr VerdictLook kMissingLook{"missing", "…", 4};

constexpr const VerdictLook& look_of(VerdictCode code) {
  return kVerdictLooks[static_cast<std::size_t>(code)];
}

constexpr int severity(VerdictCode code) { return look_of(code).severity; }

}  // namespace upcast::reports
