// Writes programs that show a difference of LibTorch as a person would: some ten lines, to paste
// into an issue. Not every case has one; fuzz/findings/reproducer.h has long ones for all.
#pragma once

#include <string>

#include "fuzz/findings/reproducer.h"

namespace upcast::fuzz {

/// How many lines a short program has at most, if the public API can make the call.
inline constexpr int kShortLines = 15;

struct ShortProgram {
  std::string text;
  std::string why_not;  // a clause; either the text or this is ""
};

/// A program with torch alone. While the difference is there, it ends in an AssertionError; for a
/// refusal in the RuntimeError of LibTorch, for a crash by a signal. Otherwise it ends with 0.
ShortProgram short_python(const Reproducible& finding);
/// A program with LibTorch alone. While the difference is there, it ends with 1, for a crash by a
/// signal; otherwise with 0.
ShortProgram short_cpp(const Reproducible& finding);

/// The name of a case's operator in Python's public API: "torch.add", "F.elu",
/// "torch.Tensor.add_";
/// "" where it has no name for it.
std::string public_name(const Case& c);

}  // namespace upcast::fuzz
