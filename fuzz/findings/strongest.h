// The case that shows a known difference best, and how far the difference reaches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/known_differences.h"
#include "fuzz/findings/paths.h"
#include "fuzz/findings/strength.h"

namespace upcast::fuzz {

/// The results for ordinary random operands: elements from 1e-2 to 1e2 in magnitude, of both signs.
struct OrdinarySample {
  DType dtype = DType::kUndefined;
  std::int64_t inputs = 0, wrong = 0;
  double median_error = 0,
         largest_error = 0;  // relative errors of the wrong answers; infinite: no number
};

/// Whether the difference shows, for one dtype and form, on one path.
struct ShownCell {
  DType dtype = DType::kUndefined;  // of the tensors; kUndefined: as in the entry's case
  Form form = Form::kFunctional;
  Path path = Path::kDefault;
  bool shows = false;
};

struct Reach {
  Finding strongest;
  Strength strength;
  Path path = Path::kDefault;            // the path on which the strongest case shows
  std::optional<OrdinarySample> sample;  // nothing if no ordinary operand shows it
  std::vector<ShownCell> shows;
};

/// Measures an entry: its own case, its elements in every other dtype, ordinary random operands,
/// and all of these as functional, in-place and out= calls. A case counts if the entry, and no
/// other, explains it. Throws UsageError if not even its own case shows.
Reach reach_of(const KnownDifference& entry, PathExaminers& paths);

}  // namespace upcast::fuzz
