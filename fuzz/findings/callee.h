// The side that a program calls: the one that is treated as wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast::fuzz {

struct Callee {
  enum class Kind {
    kLibTorch,  // C++ and Python
    kTorch,     // a device of the user's torch, or kernels over its tensors: Python
    kPlugin,    // C++
    kProcess    // asked in the process protocol: Python
  };

  Kind kind = Kind::kLibTorch;
  std::string name{};                  // "plugin:./libmine.so"
  std::string target{};                // a plug-in's file, a process' command, torch's device
  std::string settings{};              // of a plug-in, as JSON
  bool infers = false;                 // of a plug-in: it is asked for dtype and shape alone
  std::vector<std::string> imports{};  // of torch: modules that are imported
  std::string kernels{};  // of torch: the module that holds the kernels; "": torch's own
};

/// The callee for a side. Throws UsageError for a side that only upcast itself can call (impl:cpu).
Callee callee_of(const Side& side);

/// The side that a program calls. `wrong`: the side that is wrong, kBoth, or nothing where that is
/// undecided. In these two cases it is the side that should be like the other one: LibTorch where
/// the other is ours, else the subject.
Role suspect(const Side& subject, const Side& oracle, std::optional<Role> wrong);

/// Why there is no program in a language; "" if there is one.
std::string why_not_in_cpp(const Callee& callee);
std::string why_not_in_python(const Callee& callee);

}  // namespace upcast::fuzz
