// Writes programs that show a difference of LibTorch in some ten lines, as a person would write
// them to paste into an issue. Not every case has such a program; fuzz/findings/reproducer.h has
// long ones for all cases.
#pragma once

#include <string>

#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz {

/// The most lines of a short program whose call the public API can make.
inline constexpr int kShortLines = 15;

struct ShortProgram {
  std::string text;
  std::string why_not;  // why there is no program, as a clause; "" if `text` is set
};

/// A Python program that needs torch alone. While the difference is there, it ends in an
/// AssertionError. For a refusal it ends in LibTorch's RuntimeError, and for a crash by a signal.
/// Once the difference is gone, its exit code is 0.
ShortProgram short_python(const Reproducible& finding);
/// A C++ program that needs LibTorch alone. While the difference is there, its exit code is 1, or
/// it ends by a signal (crash). Once the difference is gone, its exit code is 0.
ShortProgram short_cpp(const Reproducible& finding);

/// The name of a case's operator in Python's public API: "torch.add", "F.elu", "torch.Tensor.add_".
/// "" if the API has no name for it.
std::string public_name(const Case& c);

}  // namespace upcast::fuzz
