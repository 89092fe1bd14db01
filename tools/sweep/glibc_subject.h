// glibc's own functions as a side. Their published errors check the method of sweeps.
#pragma once

#include <memory>

#include "oracle/subject.h"

namespace upcast::tools {

/// Makes "glibc": sinf, sin and the like, over dense float32 and float64 operands. It declines ops
/// for which <cmath> has no function.
std::unique_ptr<Subject> make_glibc_subject(const Side& side);

}  // namespace upcast::tools
