// Writes the sentences of a verdict. They are for people: no program reads them back.
#pragma once

#include <string>

#include "oracle/verdict.h"

namespace upcast {

/// All that a verdict tells, in one line: "element 2: 3 against 4, 2 ulp of float32, 2 steps,
/// allowed 1.5; truth of element 2 4: the subject is off (subject 2 ulp, oracle 0 ulp)". "" for
/// plain agreement.
std::string sentence(const Verdict& verdict);

/// The place of an element: "3", "3 of result 2".
std::string place_text(std::int64_t element, int result);
/// A difference in words: "float32 against float64".
std::string sentence(const Difference& difference);
/// The ruling in words: "truth of element 2 0x1.8p+1: the oracle is off (subject 0.4 ulp, oracle 3
/// ulp)". "" if no arbiter was asked.
std::string sentence(const Ruling& ruling);
/// Why a ruling blames neither side: there is no truth, for a reason, or both errors are within
/// their bounds.
std::string why_undecided(const Ruling& ruling);
/// A death in words: "subject: crash(SIGFPE), what it said last".
std::string sentence(const Death& death);
/// An unmet expectation in words: "both answer float32[1]{2}: the line expects int32".
std::string sentence(const Unmet& unmet);
/// A place that witnesses were asked about, in words: "element 5: nan against 0", or "element 5:
/// nan" if both sides have the same.
std::string asked_text(const Difference& asked);
/// A vote in words: "with the oracle", "says nothing about it".
std::string_view with_text(Vote vote);
/// Who stands alone, and against how many: "the oracle stands alone: 2 of 3 witnesses are with the
/// subject". "" if no witness was asked.
std::string alone_text(const Verdict& verdict);
/// The expectation of a line in words: "the line expects int32".
std::string expectation_text(const Unmet& unmet);

}  // namespace upcast
