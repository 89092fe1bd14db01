// Where a known difference is discussed, and how old it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace upcast::reports {

struct UpstreamLink {
  std::string text;     // "pytorch#138425", "docs.pytorch.org: torch.round"
  std::string address;  // "" where it is no https address: then it is text only
};

/// The links of a known entry, which have blanks between them.
std::vector<UpstreamLink> upstream_links(std::string_view links);

/// The same as markup, commas between.
std::string links_markup(std::string_view links);

/// "12 days old" on the day of the run, whatever day it is now; "" where either is no date, or the
/// run was before.
std::string age_at_run(std::string_view found, std::string_view run);

}  // namespace upcast::reports
