// Tells the report's noteworthy cases: steps, operands bit by bit, and programs that show them.
#pragma once

#include "reports/case_story.h"

namespace upcast::tools {

/// Tells the story of a record. Asks our own implementation only: no LibTorch and no worker, so
/// that the result is the same on every machine. So a program that shows a difference in values
/// needs a record whose text holds the elements that differ.
reports::CaseStory tell_case(const CaseRecord& record, const reports::Summary& summary);

}  // namespace upcast::tools
