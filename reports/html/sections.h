// The views of the page, one Section each. The page's navigation, its body and the window's titles
// follow from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/changes_section.h"
#include "reports/html/html_report.h"
#include "reports/run_data.h"

namespace upcast::reports {

struct Section {
  std::string_view id;    // for the view's address: "known" for #known
  std::string_view name;  // the text of the view's link in the navigation
  /// The view's markup. "" if a script draws the view (page/NAME.js: SHOW.NAME), or if there is
  /// nothing to show.
  std::string html{};
  std::optional<std::int64_t> count{};  // a count that the navigation shows after the name
  std::string_view title = name;        // the window's title while the view is shown
  bool is_drawn = false;                // whether a script draws the view
  bool has_link = is_drawn || !html.empty();
};

/// The views of a report in the order of the navigation. Views for which the report has nothing are
/// left out, or empty. The accuracy view shows all rows of the input.
std::vector<Section> sections_of(const std::vector<RunData>& runs,
                                 const std::optional<Changes>& changes, const ReportInput& input);

/// The markup of the navigation's links.
std::string links(const std::vector<Section>& sections);
/// The markup of the <section> elements in the page's body.
std::string bodies(const std::vector<Section>& sections);

}  // namespace upcast::reports
