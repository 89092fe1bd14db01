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
  double median_error = 0, largest_error = 0;  // relative, of the wrong ones; infinite: no number
};

/// Whether the difference shows, for one dtype and form, on one path.
struct ShownCell {
  DType dtype = DType::kUndefined;  // of the tensors; kUndefined: those that the entry's case has
  Form form = Form::kFunctional;
  Path path = Path::kDefault;
  bool shows = false;
};

struct Reach {
  Finding strongest;
  Strength strength;
  Path path = Path::kDefault;            // on which the strongest case shows
  std::optional<OrdinarySample> sample;  // nothing where no ordinary operand shows it
  std::vector<ShownCell> shows;
};

/// Looks at the entry's own case, at its elements in every other dtype, at ordinary random
/// operands, and at all of them as functional, in-place and out= calls. A case counts if the entry,
/// and no other, explains it. Throws UsageError where not even its own case shows.
Reach reach_of(const KnownDifference& entry, PathExaminers& paths);

}  // namespace upcast::fuzz
