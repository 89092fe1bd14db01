// The schemas of the JSON documents that commands write: a document's "$schema" is the $id of its
// schema in docs/schemas, with its version. Removing a field, or changing its meaning, needs a new
// version.
#pragma once

namespace upcast::json_schemas {

inline constexpr const char* kAudit = "https://upcast.invalid/schemas/audit/1";
inline constexpr const char* kBench = "https://upcast.invalid/schemas/bench/1";
inline constexpr const char* kCheckPlugin = "https://upcast.invalid/schemas/check_plugin/1";
inline constexpr const char* kDiff = "https://upcast.invalid/schemas/diff/2";
inline constexpr const char* kExplain = "https://upcast.invalid/schemas/explain/1";
inline constexpr const char* kFinding = "https://upcast.invalid/schemas/finding/1";
inline constexpr const char* kFindings = "https://upcast.invalid/schemas/findings/1";
inline constexpr const char* kFuzz = "https://upcast.invalid/schemas/fuzz/1";
inline constexpr const char* kHistory = "https://upcast.invalid/schemas/history/1";
inline constexpr const char* kLaws = "https://upcast.invalid/schemas/laws/1";
inline constexpr const char* kList = "https://upcast.invalid/schemas/list/1";
inline constexpr const char* kMeasuredFindings =
    "https://upcast.invalid/schemas/measured_findings/1";
inline constexpr const char* kMinimize = "https://upcast.invalid/schemas/minimize/1";
inline constexpr const char* kRecord = "https://upcast.invalid/schemas/record/1";
inline constexpr const char* kRulebooks = "https://upcast.invalid/schemas/rulebooks/1";
inline constexpr const char* kRun = "https://upcast.invalid/schemas/run/1";
inline constexpr const char* kSweep = "https://upcast.invalid/schemas/sweep/1";

}  // namespace upcast::json_schemas
