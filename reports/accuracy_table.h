// Measured errors and claimed bounds: the results of `upcast sweep` for an op, a dtype and a side,
// with the bounds for them.
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
  std::string input{};  // hex bits of the operands: "0x3f80", "0x3f80 0x4000"
  double ulp = 0;
};

/// One side's errors over many inputs, measured from the exact value, in ulp of the dtype at that
/// value.
struct AccuracyRow {
  std::string op{};  // "exp"
  DType dtype = DType::kUndefined;
  /// The side's name, its version, and the op's attributes: "impl:cpu", "2.15.0", "n=2".
  std::string side{}, version{}, with{};
  std::string date{};  // day of the measurement, "2026-11-22"; "" for a sweep
  double max_ulp = 0, mean_ulp = 0;
  double correctly_rounded = 0;  // share of results that are correctly rounded, from 0 to 1
  int64_t misplaced = 0;         // results with a wrong NaN, infinity, or sign of zero
  int64_t undecided = 0;         // inputs whose exact value the highest precision does not decide
  int64_t inputs = 0;
  bool exhaustive = false;           // whether the inputs are all that the dtype has
  std::vector<WorstInput> worst{};   // inputs with the largest errors, the largest first
  std::vector<double> edges{};       // upper ends of the histogram's bins except the last, in ulp
  std::vector<int64_t> histogram{};  // inputs with a finite result in each bin of errors
};

struct AccuracyTable {
  std::vector<AccuracyRow> rows{};
  /// The bounds of our errors (impl:cpu), in ulp, by op and dtype.
  std::map<std::pair<std::string, DType>, double> bounds{};

  /// Adds the rows of a table that tools/accuracy/accuracy.py wrote (cases/accuracy.json). `name`:
  /// the file's name, for messages. Throws UsageError if the text is no such table.
  void add_table(std::string_view json, const std::string& name);
  /// Adds the rows that `upcast sweep --json` wrote. They replace rows of the same op, dtype and
  /// side.
  void add_sweep(std::string_view json, const std::string& name);
  /// Adds the bounds of cases/accuracy_bounds.toml: its classes and exceptions.
  void add_bounds(std::string_view toml, const std::string& name);

  /// The rows of the given sides. A row of the same side with other settings (`?capability=native`)
  /// is among them.
  AccuracyTable of_sides(const std::vector<std::string>& sides) const;
};

}  // namespace upcast::reports
