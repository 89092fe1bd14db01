// What another version of LibTorch answers to the case that shows a finding best.
#pragma once

#include "cases/measured_findings.h"
#include "fuzz/findings/examiner.h"

namespace upcast::fuzz {

/// `first`: the case between sides of the version that shows the finding; `there`: the same case
/// between sides of another version. The other version shows the finding where its answer differs
/// in the same way: an equal essence of the signature, and of values an error of the same kind and
/// order of magnitude. Known differences are not used: each declares the versions that have it, and
/// this checks that.
VersionAnswer version_answer(const Finding& first, const Finding& there, Sides sides, Role wrong);

}  // namespace upcast::fuzz
