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
  int takes = 0;  // which tensor operand is the previous call's result, from 1; 0: none

  bool operator==(const ChainCall&) const = default;
};
using Chain = std::vector<ChainCall>;

/// The position of the operand that the previous call's result replaces. kOutPosition if it
/// replaces none, or if the schema has fewer tensors.
int taken_position(const ChainCall& call);

/// Prints a chain: "exp(float16[3]); [takes 1] mul.Tensor(float16[3], float16[3])". An operand that
/// the previous call's result replaces is written with a dtype and a shape of its own. In the call
/// it has those of the result.
std::string print_chain(const Chain& chain);

/// Reads what print_chain writes. Throws UsageError, one line that tells which call is at fault.
Chain parse_chain(std::string_view text);

}  // namespace upcast
