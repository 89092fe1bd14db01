// The page's own sources (page/), embedded by embed.cmake.
#pragma once

#include <string_view>

namespace upcast::reports {

extern const std::string_view kPageTemplate;
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace upcast::reports
