// Packs the stories of noteworthy cases for the page. A pack has a few, so that one can be read
// without all others.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/case_story.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// The most cases of a run that have a story.
inline constexpr std::size_t kMaxStories = 600;

/// The records of a run that get a story, in order of case number. These are the first case of each
/// kind of difference and of each known difference, then further failures, then other records while
/// fewer than kMaxStories / 2 are chosen.
std::vector<const CaseRecord*> noteworthy(const RunData& data);

/// The stories of a run as {cases [number], pack: stories in each pack, cpp, python: how all
/// programs begin, packs [base64(deflate(JSON))]}, which page/data.js reads. Null without a teller,
/// and for runs of rule books.
nlohmann::ordered_json stories_json(const RunData& data, const CaseTeller& teller);

}  // namespace upcast::reports
