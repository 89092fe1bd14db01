// Compares another version of LibTorch with the one that shows a finding, on the case that shows it
// best.
#pragma once

#include "cases/measured_findings.h"
#include "fuzz/findings/examiner.h"

namespace upcast::fuzz {

/// What the other version answers to a case. `first`: the case, asked with sides of the version
/// that shows the finding. `there`: the same case, asked with sides of the other version. That
/// version shows the finding if its answer differs in the same way: an equal essence of the
/// signature, and for values an error of the same kind and order of magnitude. Known differences
/// are not used: each declares the versions that have it, and this comparison checks the
/// declaration.
VersionAnswer version_answer(const Finding& first, const Finding& there, Sides sides, Role wrong);

}  // namespace upcast::fuzz
