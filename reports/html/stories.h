// Packs the stories of noteworthy cases for the page: a few together, so that one can be read
// without the others.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/case_story.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// How many cases of a run have a story.
inline constexpr std::size_t kMaxStories = 600;

/// The records of a run that get a story: the first case of each kind of difference and of each
/// known difference, further failures, then others up to half of that. They are in order of case
/// number.
std::vector<const CaseRecord*> noteworthy(const RunData& data);

/// {cases [number], pack: stories in each pack, cpp, python: how all programs begin, packs
/// [base64(deflate(JSON))]}; page/data.js reads it. Null without a teller, and of rule
/// books.
nlohmann::ordered_json stories_json(const RunData& data, const CaseTeller& teller);

}  // namespace upcast::reports
