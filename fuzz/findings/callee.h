// The side that a reproducer calls: the one that is treated as wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast::fuzz {

struct Callee {
  enum class Kind {
    kLibTorch,  // LibTorch; programs in C++ and Python
    kTorch,     // a device of the user's torch, or kernels over its tensors; Python only
    kPlugin,    // C++
    kProcess    // a process, asked in the process protocol; Python only
  };

  Kind kind = Kind::kLibTorch;
  std::string name{};                  // "plugin:./libmine.so"
  std::string target{};                // file of a plug-in, command of a process, or torch's device
  std::string settings{};              // a plug-in's settings, as JSON
  bool infers = false;                 // whether a plug-in is asked for dtype and shape only
  std::vector<std::string> imports{};  // Python modules to import before torch is called
  std::string kernels{};               // Python module with the kernels to call; "": torch itself
};

/// What a program has to call to ask a side. Throws UsageError for a side that only upcast itself
/// can call (impl:cpu).
Callee callee_of(const Side& side);

/// The role of the side that a program calls. `wrong`: the side that is wrong, kBoth, or nothing if
/// that is undecided. If it is kBoth or nothing, the program calls LibTorch if the other side is
/// ours, else the subject.
Role suspect(const Side& subject, const Side& oracle, std::optional<Role> wrong);

/// Why no program in C++ (or in Python) can call a callee; "" if one can.
std::string why_not_in_cpp(const Callee& callee);
std::string why_not_in_python(const Callee& callee);

}  // namespace upcast::fuzz
