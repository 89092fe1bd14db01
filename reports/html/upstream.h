// Where a known difference is discussed, and how old it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast::reports {

struct UpstreamLink {
  std::string text;     // "pytorch#138425", "docs.pytorch.org: torch.round"
  std::string address;  // "" if it is no https address: it then is text only
};

/// The links of a known entry, whose text has blanks between them.
std::vector<UpstreamLink> upstream_links(std::string_view links);

/// The links as markup, with commas between.
std::string links_markup(std::string_view links);

/// The age on the day of the run, "12 days old", whatever day it is now. "" if either text is no
/// date, or the run was earlier.
std::string age_at_run(std::string_view found, std::string_view run);

}  // namespace upcast::reports
