// The texts of the page's own sources (page/) and of the plot library, which embed.cmake embeds.
#pragma once

#include <string_view>

namespace upcast::reports {

extern const std::string_view kPageTemplate;
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;
extern const std::string_view kPlotScript;  // uPlot's script and licence; "" if the build had none

}  // namespace upcast::reports
