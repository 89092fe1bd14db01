// Measured errors: the results of `upcast sweep` for an op, a dtype and a side, and the claimed
// bounds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "impl/core/dtype.h"

namespace upcast::reports {

struct WorstInput {
  std::string input{};  // bits of its dtype: "0x3f80"; of two operands "0x3f80 0x4000"
  double ulp = 0;
};

/// One side's errors over many inputs. Errors are real ones, in ulp of the dtype at the exact
/// value.
struct AccuracyRow {
  std::string op{};  // "exp"
  DType dtype = DType::kUndefined;
  std::string side{}, version{}, with{};  // "impl:cpu", "2.15.0", "n=2"
  std::string date{};                     // day of the measurement, "2026-11-22"; "" for a sweep
  double max_ulp = 0, mean_ulp = 0;
  double correctly_rounded = 0;  // as a share from 0 to 1
  int64_t misplaced = 0;         // wrong NaN, infinity, or sign of zero
  int64_t undecided = 0;         // inputs that no precision up to the limit decides
  int64_t inputs = 0;
  bool exhaustive = false;           // every input there is
  std::vector<WorstInput> worst{};   // the largest errors first
  std::vector<double> edges{};       // upper ends of the histogram's bins but the last, in ulp
  std::vector<int64_t> histogram{};  // inputs with a finite result, by error
};

struct AccuracyTable {
  std::vector<AccuracyRow> rows{};
  /// The error bounds claimed for impl:cpu, in ulp, by op and dtype.
  std::map<std::pair<std::string, DType>, double> bounds{};

  /// Adds the rows of a table that tools/accuracy/accuracy.py wrote (cases/accuracy.json). `name`
  /// is for messages. UsageError: it is no such table.
  void add_table(std::string_view json, const std::string& name);
  /// Adds what `upcast sweep --json` wrote; it replaces rows of the same op, dtype and side.
  void add_sweep(std::string_view json, const std::string& name);
  /// Adds the classes and exceptions of cases/accuracy_bounds.toml.
  void add_bounds(std::string_view toml, const std::string& name);

  /// The rows of these sides. A side's other settings (`?capability=native`) count as the side.
  AccuracyTable of_sides(const std::vector<std::string>& sides) const;
};

}  // namespace upcast::reports
