// Finds the simplest chain that shows a difference of the same kind: first the fewest calls.
#pragma once

#include "fuzz/chains/chain_examiner.h"

namespace upcast::fuzz {

struct MinimalChain {
  ChainFinding finding;
  int asked = 0;  // chains
  int steps = 0;  // simplifications that were kept
};

/// For each finding, the shortest chain that still differs, in any kind. It is a part of the chain,
/// which begins with the values that its first call took, or the chain without one of its calls. A
/// part of one call is a case. If a known difference explains all parts that differ, it explains
/// the finding too, which becomes that part. All parts of all findings are asked at once.
std::vector<MinimalChain> with_fewest_calls(ChainExaminer& examiner,
                                            std::vector<ChainFinding> findings);

/// Makes the calls themselves simpler: first one element, then the steps of cases/simplify.h for
/// each call. A step must keep the cause, as for a case (why_not_the_same). It asks at most `most`
/// chains.
void simplify_calls(ChainExaminer& examiner, MinimalChain& minimal, int most);

}  // namespace upcast::fuzz
