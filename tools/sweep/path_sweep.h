// Compares paths to the same results with each other, without a truth: a vector path against a
// scalar one, dense operands against strided ones, one library against another.
#pragma once

#include <string>
#include <vector>

#include "tools/sweep/chunk_jobs.h"
#include "tools/sweep/path_statistics.h"

namespace upcast::tools {

/// A layout for the last operand of a sweep's cases.
struct PathLayout {
  std::string_view name;      // "strided"
  std::string_view notation;  // the layout as a case line has it: ":strides(2)"
};
const std::vector<PathLayout>& path_layouts();

/// A side, and the layout in which it gets the last operand.
struct Path {
  std::string side;
  PathLayout layout;
  /// The path's name in reports: "libtorch:cpu", "libtorch:cpu strided".
  std::string name() const;
};

/// The paths to compare, the reference first: the first side with dense operands. Then come the
/// first side with each of `layouts`, and the other sides with dense operands. Throws UsageError if
/// that is only one path.
std::vector<Path> paths_of(const std::vector<std::string>& sides,
                           const std::vector<std::string>& layouts);

/// How the `kind` of a sweep of paths begins (run_chunks()). The name of the reference follows.
inline constexpr std::string_view kPathsOf = "paths of ";

/// Compares the other paths with the first one, the reference, over every input of the plan. Does
/// not use options.sides.
SweepOutcome<PathStatistics> run_path_sweep(const SweepOptions& options,
                                            const std::vector<Path>& paths,
                                            const ShowProgress& show);

}  // namespace upcast::tools
