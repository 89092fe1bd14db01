// The page's own sources (page/) and the plot library, embedded by embed.cmake.
#pragma once

#include <string_view>

namespace upcast::reports {

extern const std::string_view kPageTemplate;
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;
extern const std::string_view kPlotScript;  // uPlot with its licence; "" if the build had none

}  // namespace upcast::reports
