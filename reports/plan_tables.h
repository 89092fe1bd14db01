// Reads and writes the plan's tables of a run store: meta, grid_row, known.
#pragma once

#include <cstdint>
#include <string>

#include "reports/database.h"
#include "reports/run_plan.h"

namespace upcast::reports {

/// The first fault of a plan: a gap between rows, a count that is not the product of its axes, an
/// id out of 1..255, ... "" if it is sound.
std::string plan_fault(const RunPlan& plan);

/// Creates all tables and stores the plan. Call it in a transaction.
void write_plan(const Database& database, const RunPlan& plan);

/// Reads the plan without its rows and known differences. Throws as read_plan does.
RunPlan read_plan_head(const Database& database);

/// The plan, and the digest of grid_row and known as the file has them (reports/xxh64.h).
struct StoredPlan {
  RunPlan plan;
  uint64_t digest = 0;
};

/// Reads the plan. Throws UsageError if the file has other tables than ours, another schema version
/// or an unsound plan. It runs nothing that the file's schema could hold.
StoredPlan read_plan(const Database& database);

/// Whether the file has no table yet: it is new, or its writer was killed before the plan was
/// stored.
bool has_no_plan(const Database& database);

/// How two plans differ, "oracle: libtorch:cpu here, libtorch:meta in the file; ..."; "" if a run
/// of `wanted` may go on in a store of `stored`.
std::string plan_difference(const RunPlan& stored, const RunPlan& wanted);

/// The text of one meta row; "" if there is none.
std::string read_meta(const Database& database, std::string_view key);
void write_meta(const Database& database, std::string_view key, std::string_view value);

}  // namespace upcast::reports
