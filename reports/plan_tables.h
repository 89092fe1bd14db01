// Reads and writes the tables of a run store that hold its plan: meta, grid_row, known.
#pragma once

#include <cstdint>
#include <string>

#include "reports/database.h"
#include "reports/run_plan.h"

namespace upcast::reports {

/// The first fault of a plan: a gap between rows, a count that is not the product of its axes, an
/// id out of 1..255, ... "" if it is sound.
std::string plan_fault(const RunPlan& plan);

/// Creates all tables and stores the plan. The caller must hold a transaction.
void write_plan(const Database& database, const RunPlan& plan);

/// Reads the plan without its rows and known differences. Throws UsageError as read_plan does.
RunPlan read_plan_head(const Database& database);

/// The plan, and the digest of the tables grid_row and known as the file has them
/// (reports/xxh64.h).
struct StoredPlan {
  RunPlan plan;
  uint64_t digest = 0;
};

/// Reads the plan. Throws UsageError if the file has other tables than ours, another schema version
/// or an unsound plan. It executes nothing that the file's schema could contain.
StoredPlan read_plan(const Database& database);

/// Whether the file has no table yet: it is new, or its writer was killed before it stored the
/// plan.
bool has_no_plan(const Database& database);

/// How two plans differ, "oracle: libtorch:cpu here, libtorch:meta in the file; ...". "" if a run
/// with the plan `wanted` may continue in a store with the plan `stored`.
std::string plan_difference(const RunPlan& stored, const RunPlan& wanted);

/// The text of one row of the table meta; "" if there is no such row.
std::string read_meta(const Database& database, std::string_view key);
void write_meta(const Database& database, std::string_view key, std::string_view value);

}  // namespace upcast::reports
