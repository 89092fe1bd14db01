// The plan's tables of a run store: meta, grid_row, known.
#pragma once

#include <cstdint>
#include <string>

#include "reports/database.h"
#include "reports/run_plan.h"

namespace upcast::reports {

/// "" where the plan is sound, else its first fault: a gap between rows, a count that is not the
/// product of its axes, an id out of 1..255, ...
std::string plan_fault(const RunPlan& plan);

/// Creates all tables and stores the plan. Call it in a transaction.
void write_plan(const Database& database, const RunPlan& plan);

/// The plan but for its rows and known differences. Throws as read_plan does.
RunPlan read_plan_head(const Database& database);

/// The plan, and the digest of grid_row and known as the file has them (reports/xxh64.h).
struct StoredPlan {
  RunPlan plan;
  uint64_t digest = 0;
};

/// Throws UsageError where the file has other tables than ours, another schema version or an
/// unsound plan. Runs nothing that the file's schema could hold.
StoredPlan read_plan(const Database& database);

/// True where the file has no table yet: new, or killed before its plan was stored.
bool has_no_plan(const Database& database);

/// "" where a run of `wanted` may go on in a store of `stored`, else what differs, as
/// "oracle: libtorch:cpu here, libtorch:meta in the file; ...".
std::string plan_difference(const RunPlan& stored, const RunPlan& wanted);

/// The text of one meta row; "" where there is none.
std::string read_meta(const Database& database, std::string_view key);
void write_meta(const Database& database, std::string_view key, std::string_view value);

}  // namespace upcast::reports
