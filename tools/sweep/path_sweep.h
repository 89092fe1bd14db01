// Compares paths to the same results with each other, without a truth: a vector path against a
// scalar one, dense operands against strided ones, one library against another.
#pragma once

#include <string>
#include <vector>

#include "tools/sweep/chunk_jobs.h"
#include "tools/sweep/path_statistics.h"

namespace upcast::tools {

/// The layout of the last operand of a case.
struct PathLayout {
  std::string_view name;      // "strided"
  std::string_view notation;  // for a row of elements: ":strides(2)"
};
const std::vector<PathLayout>& path_layouts();

/// A side and how it gets its operands.
struct Path {
  std::string side;
  PathLayout layout;
  /// "libtorch:cpu", "libtorch:cpu strided".
  std::string name() const;
};

/// The first side with dense operands is the reference. The others: the first side with each of
/// `layouts`, and the other sides with dense operands. Throws UsageError where only one is left.
std::vector<Path> paths_of(const std::vector<std::string>& sides,
                           const std::vector<std::string>& layouts);

/// The start of the `kind` of such a sweep. The reference's name follows it.
inline constexpr std::string_view kPathsOf = "paths of ";

/// Compares every other path with the reference. `options.sides` is not used.
SweepOutcome<PathStatistics> run_path_sweep(const SweepOptions& options,
                                            const std::vector<Path>& paths,
                                            const ShowProgress& show);

}  // namespace upcast::tools
