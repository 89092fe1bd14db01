// The simplest chain that shows a difference of the same kind: the fewest calls first.
#pragma once

#include "fuzz/chains/chain_examiner.h"

namespace upcast::fuzz {

struct MinimalChain {
  ChainFinding finding;
  int asked = 0;  // chains
  int steps = 0;  // simplifications that were kept
};

/// For each finding, the shortest chain that still differs, in any kind: a part of the chain, which
/// begins with the values that its first call took, or the chain without one of its calls. A part
/// of one call is a case. Where no part differs but those that a known difference explains, it
/// explains the finding too, which becomes that part. All parts of all findings are asked at once.
std::vector<MinimalChain> with_fewest_calls(ChainExaminer& examiner,
                                            std::vector<ChainFinding> findings);

/// Makes the calls themselves simpler: one element, then the steps of cases/simplify.h for each
/// call. A step keeps the cause, as that of a case does (why_not_the_same). Asks `most` chains at
/// most.
void simplify_calls(ChainExaminer& examiner, MinimalChain& minimal, int most);

}  // namespace upcast::fuzz
