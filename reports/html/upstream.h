// Tells where a known difference is discussed upstream, and how old it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast::reports {

struct UpstreamLink {
  std::string text;     // what the link shows: "pytorch#138425", "docs.pytorch.org: torch.round"
  std::string address;  // an https address; "": the link is shown as text only
};

/// The links of a known difference, from their text in the store, where blanks separate them.
std::vector<UpstreamLink> upstream_links(std::string_view links);

/// The links of a known difference as markup, with commas between them.
std::string links_markup(std::string_view links);

/// The age of a known difference on the day of the run, "12 days old", whatever day it is now. ""
/// if either text is no date, or if the run was earlier.
std::string age_at_run(std::string_view found, std::string_view run);

}  // namespace upcast::reports
