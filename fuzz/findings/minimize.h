// The simplest case that shows the same difference.
#pragma once

#include <functional>
#include <optional>

#include "cases/case.h"
#include "oracle/signature.h"

namespace upcast::fuzz {

/// What differs in a case; nothing where nothing does, or something that is no matter of the
/// finding under way (a known difference).
using DifferenceOf = std::function<std::optional<Signature>(const Case& c)>;

struct MinimalCase {
  Case c;
  Signature
      signature;     // dtypes stand for their category where the difference does not depend on them
  int steps = 0;     // simplifications that were kept
  int examined = 0;  // cases that were asked for
};

/// Walks down the steps of cases/simplify.h, the boldest first, and keeps each that has the essence
/// of the case's own signature; values are spelled out first. Where one element cannot show it, all
/// elements become alike (a vector's body). The expectation of the line is dropped. Throws
/// UsageError where nothing differs.
MinimalCase minimize(const Case& c, const DifferenceOf& difference_of);

}  // namespace upcast::fuzz
