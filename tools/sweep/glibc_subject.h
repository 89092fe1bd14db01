// glibc's own math functions as a side. Sweeps must find their published errors, which tests the
// sweeps.
#pragma once

#include <memory>

#include "oracle/subject.h"

namespace upcast::tools {

/// Makes the side "glibc", which calls sinf, sin and so on for dense operands of float32 and
/// float64. Its answer to an op for which <cmath> has no function is not_judged.
std::unique_ptr<Subject> make_glibc_subject(const Side& side);

}  // namespace upcast::tools
