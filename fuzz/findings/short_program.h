// Programs that show a difference of LibTorch as a person would write them: some ten lines, to
// paste into an issue. fuzz/findings/reproducer.h has the long ones, which need no such luck.
#pragma once

#include <string>

#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz {

/// What a short program must hold, at most, where the public API can make the call.
inline constexpr int kShortLines = 15;

struct ShortProgram {
  std::string text;
  std::string why_not;  // a clause; one of the two is ""
};

/// With torch alone. While the difference is there, it ends in an AssertionError; of a refusal in
/// the RuntimeError of LibTorch, and of a crash by a signal. Else it ends with 0.
ShortProgram short_python(const Reproducible& finding);
/// With LibTorch alone. It ends with 1 while the difference is there, of a crash by a signal; else
/// with 0.
ShortProgram short_cpp(const Reproducible& finding);

/// What Python's public API calls the operator of a case: "torch.add", "F.elu",
/// "torch.Tensor.add_";
/// "" where it has no name for it.
std::string public_name(const Case& c);

}  // namespace upcast::fuzz
