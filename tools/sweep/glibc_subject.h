// The distribution's own functions as a side: what has been published about them checks the method.
#pragma once

#include <memory>

#include "oracle/subject.h"

namespace upcast::tools {

/// "glibc": sinf, sin and their like, over float32 and float64 operands that lie densely. It
/// declines what <cmath> has no function for.
std::unique_ptr<Subject> make_glibc_subject(const Side& side);

}  // namespace upcast::tools
