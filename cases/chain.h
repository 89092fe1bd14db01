// Calls that feed each other: 1 to 6 cases, each of which may take the result of the one before it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"

namespace upcast {

inline constexpr std::size_t kMaxCalls = 6;

struct ChainCall {
  Case c;
  int takes = 0;  // the tensor operand, from 1, that the result before becomes; 0: none

  bool operator==(const ChainCall&) const = default;
};
using Chain = std::vector<ChainCall>;

/// The position of the operand that takes the result before; kOutPosition where the call takes
/// none, or its schema has no such tensor.
int taken_position(const ChainCall& call);

/// "exp(float16[3]); [takes 1] mul.Tensor(float16[3], float16[3])". The operand that is taken is
/// written with a dtype and a shape; in the call it has those of the result before.
std::string print_chain(const Chain& chain);

/// The inverse. Throws UsageError, one line that tells which call is at fault.
Chain parse_chain(std::string_view text);

}  // namespace upcast
