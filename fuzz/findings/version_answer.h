// Compares another version of LibTorch on the case that shows a finding best.
#pragma once

#include "cases/measured_findings.h"
#include "fuzz/findings/examiner.h"

namespace upcast::fuzz {

/// What the other version answers. `first`: the case, between sides of the version that shows the
/// finding. `there`: the same case, between sides of the other version. That version shows the
/// finding if its answer differs in the same way: an equal essence of the signature, and for values
/// an error of the same kind and order of magnitude. Known differences are not used: each declares
/// the versions that have it, and this checks that.
VersionAnswer version_answer(const Finding& first, const Finding& there, Sides sides, Role wrong);

}  // namespace upcast::fuzz
