// In which dtypes the steps of a composition are computed.
#pragma once

#include "cases/case.h"
#include "impl/core/dtype_set.h"

namespace upcast {

/// The common dtypes of the ops that our own composition of a case calls, empty where it refuses.
/// A number that a step takes alone is of the default dtype: exp(2.5) in poisson_nll_loss is
/// rounded to float32, whatever the dtype of the result.
DTypeSet composition_dtypes(const Case& c);

}  // namespace upcast
