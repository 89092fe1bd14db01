// Finds the simplest chain that shows a difference of the same kind. It removes calls first.
#pragma once

#include "fuzz/chains/chain_examiner.h"

namespace upcast::fuzz {

struct MinimalChain {
  ChainFinding finding;
  int asked = 0;  // chains
  int steps = 0;  // simplifications that were kept
};

/// For each finding, the shortest chain that still differs, whatever the kind. Candidates are parts
/// of the chain, which begin with the values that their first call took, and the chain without one
/// of its calls. A part of one call is a case. If a known difference explains all candidates that
/// differ, it explains the finding too, which becomes that part. All candidates of all findings are
/// asked at once.
std::vector<MinimalChain> with_fewest_calls(ChainExaminer& examiner,
                                            std::vector<ChainFinding> findings);

/// Makes the calls of a chain simpler: first it keeps one element, then it tries the steps of
/// cases/simplify.h for each call. A step must keep the cause, as it must for a case
/// (why_not_the_same). Asks at most `most` chains.
void simplify_calls(ChainExaminer& examiner, MinimalChain& minimal, int most);

}  // namespace upcast::fuzz
