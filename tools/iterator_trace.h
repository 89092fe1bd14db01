// What each step of TensorIterator::build finds for a case. `upcast explain` prints it.
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"

namespace upcast::tools {

struct IteratorStep {
  std::string name;  // "shape"
  std::string text;  // "[2,3] from [2,1] and [3]"
};

/// The steps in order, up to the one that refuses. Empty for a composition and for a function of
/// dtypes, which have no iterator of their own. No memory is touched.
std::vector<IteratorStep> trace_iterator(const Case& c);

}  // namespace upcast::tools
