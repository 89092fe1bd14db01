// The stories of noteworthy cases on the page: packed a few together, so that one is read without
// the others.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "reports/case_story.h"
#include "reports/run_data.h"

namespace upcast::reports {

/// As many cases of a run are told.
inline constexpr std::size_t kMaxStories = 600;

/// The records of a run to tell: each kind of difference's first case, each known difference's
/// first one, further failures, then others up to half of that. In order of case number.
std::vector<const CaseRecord*> noteworthy(const RunData& data);

/// {cases [number], pack: stories in each pack, cpp, python: how all programs begin, packs
/// [base64(deflate(JSON))]}; page/data.js reads it. Null without a teller, and of rule
/// books.
nlohmann::ordered_json stories_json(const RunData& data, const CaseTeller& teller);

}  // namespace upcast::reports
