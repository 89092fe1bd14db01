// The plan of a run, written before the run starts: the first half of a run store.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cases/shard.h"
#include "reports/coverage.h"

namespace upcast::reports {

/// A row of the plan: a template and its axes. It has `count` cases, numbered from `first`, the
/// last axis fastest. Without axes the template is a case line itself (count 1).
///
/// In a row with axes, `{k}` in the template stands for a token of axis k. `{k}` right after a `]`
/// is a value list (`int32[1]{0}`), never a placeholder.
struct GridRow {
  int64_t id = 0;
  std::string op;             // "add"
  std::string family;         // "arithmetic"
  std::string schema;         // the callable: "add.Tensor", "add_.Tensor", "add.out"
  std::string form;           // the form: "functional", "in_place", "out"
  std::string default_dtype;  // "float32"
  int64_t first = 0;
  int64_t count = 0;
  std::string line_template;
  std::vector<std::vector<std::string>> axes;

  bool operator==(const GridRow&) const = default;
};

/// A known difference as the run knows it. `hits`: cases whose verdict it explains. `matched`:
/// cases that its selector names. Both are counted block by block, so a resumed run keeps them.
struct KnownEntry {
  int id = 0;  // 1 to 255, in the order of the file
  std::string name;
  std::string difference_class;  // bug, by_design, host_defined or ambiguous
  std::string selector;
  std::string oracle_answer;
  std::string kind;  // kind of difference; several if one cause shows in several: "dtype, value"
  std::string versions;
  std::string reason;
  std::string found;  // day on which the entry came into the file, "2026-11-21"; "": unknown
  std::string link;   // threads upstream: https addresses with blanks between them; "": none
  std::string case_line;
  std::string wrong{};   // which side the declared wrong answer is of: "subject", "oracle" or ""
  std::string python{};  // why torch in Python does not show the difference; "": it does
  /// The evidence that the difference is a bug: "truth; path: add(float32[1], 2)"
  /// (cases/known_differences.h).
  std::string witness{};
  int64_t hits = 0;
  int64_t matched = 0;

  bool operator==(const KnownEntry&) const = default;
};

/// What a run will ask: the cases 0..planned-1, cut into blocks of `block_size` (the last may be
/// shorter). Two plans with the same digest have the same rows; the caller computes the digest.
struct RunPlan {
  std::string upcast_version;
  std::string subject;
  std::string oracle;
  std::string source;  // where the cases come from: the grid's name, a file, or "cases"
  int64_t planned = 0;
  int64_t block_size = 4096;
  Shard shard;
  std::string plan_digest;
  std::optional<Claim> claim{};  // nothing in old stores: the whole plan is claimed
  bool judges_values =
      true;          // false: a side answers dtypes only, so it is no fault if no value is judged
  std::string date;  // day on which the run began, "2026-11-22"; plans may differ in it
  std::map<std::string, std::string> environment;  // compiler, cpu, os, LibTorch's version, ...
  std::vector<GridRow> rows;                       // in order of `first`; no gap between rows
  std::vector<KnownEntry> known;

  int64_t blocks() const { return (planned + block_size - 1) / block_size; }
};

/// The line of case `index` (0..count-1) of the row.
std::string case_line(const GridRow& row, int64_t index);

/// The row of `rows` that holds a case, found by binary search. The rows must be sound, as in a
/// RunPlan.
const GridRow& row_of(const std::vector<GridRow>& rows, int64_t case_index);

/// For each axis of the row, the index of the case's token on it.
std::vector<int> axis_positions(const GridRow& row, int64_t index);

}  // namespace upcast::reports
