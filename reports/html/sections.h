// The views of the page, a row for each. Its navigation, its body and the window's titles follow
// from these.
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
  std::string_view id;    // for its address: "known" for #known
  std::string_view name;  // for its link in the navigation
  /// The view's markup; "" if a script of that name draws it (page/NAME.js: SHOW.NAME), or if there
  /// is nothing to show.
  std::string html{};
  std::optional<std::int64_t> count{};  // shown after the name
  std::string_view title = name;        // for the window's title
  bool is_drawn = false;                // by a script
  bool has_link = is_drawn || !html.empty();
};

/// The views in the order of the navigation. Those for which the report has nothing are left out,
/// or empty. All rows of the input's accuracy are shown.
std::vector<Section> sections_of(const std::vector<RunData>& runs,
                                 const std::optional<Changes>& changes, const ReportInput& input);

/// The navigation's links.
std::string links(const std::vector<Section>& sections);
/// The body's <section>s.
std::string bodies(const std::vector<Section>& sections);

}  // namespace upcast::reports
