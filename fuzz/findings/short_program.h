// Programs that show a difference of LibTorch as a person would write them: some ten lines, to
// paste into an issue. Not every case has one; fuzz/findings/reproducer.h has long ones for all.
#pragma once

#include <string>

#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz {

/// The most lines of a short program, where the public API can make the call.
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

/// The name of a case's operator in Python's public API: "torch.add", "F.elu",
/// "torch.Tensor.add_";
/// "" where it has no name for it.
std::string public_name(const Case& c);

}  // namespace upcast::fuzz
