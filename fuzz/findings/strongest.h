// Finds the case that shows a known difference best, and how far the difference reaches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/known_differences.h"
#include "fuzz/findings/paths.h"
#include "fuzz/findings/strength.h"

namespace upcast::fuzz {

/// The wrong answers to ordinary random operands: elements from 1e-2 to 1e2 in magnitude, of both
/// signs.
struct OrdinarySample {
  DType dtype = DType::kUndefined;
  std::int64_t inputs = 0, wrong = 0;
  double median_error = 0,
         largest_error = 0;  // relative errors of the wrong answers; infinite: no number
};

/// Whether a difference shows in one dtype and form on one path.
struct ShownCell {
  DType dtype = DType::kUndefined;  // dtype of all tensors; kUndefined: as in the entry's case
  Form form = Form::kFunctional;
  Path path = Path::kDefault;
  bool shows = false;
};

struct Reach {
  Finding strongest;
  Strength strength;
  Path path = Path::kDefault;            // the path on which the strongest case differs
  std::optional<OrdinarySample> sample;  // nothing if no ordinary operand shows the difference
  std::vector<ShownCell> shows;
};

/// Measures how far the difference of an entry reaches. Asks its own case, its elements in every
/// other dtype, and ordinary random operands, all as functional, in-place and out= calls. A case
/// counts only if the entry, and no other, explains it. Throws UsageError if not even the entry's
/// own case shows the difference.
Reach reach_of(const KnownDifference& entry, PathExaminers& paths);

}  // namespace upcast::fuzz
