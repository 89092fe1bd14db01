// The manifest of an implementation: its name, and what it answers. Plug-ins and processes have one
// (docs/schemas/manifest.schema.json).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/selection.h"

namespace upcast {

/// Which cases an op's name in a manifest means, if the op has an alias. A plug-in is asked by the
/// alias's own name. A process is always asked by the op's name.
enum class Aliases {
  kApart,    // "mul" is mul.*, "multiply" is multiply.*
  kTogether  // "mul" means both, "multiply" only multiply.*
};

/// A manifest. Its text is parsed once; then it is asked for every case.
class Manifest {
 public:
  /// Parses JSON: {"name": "mine", "version": "1.2", "dtypes": ["float32"], "ops": ["add"],
  /// "forms": ["functional"], "devices": ["cpu"]}. Only name and version are required. Other keys,
  /// if absent, limit nothing, but "devices" is then the CPU. "ops" may be an object of names and
  /// their forms; "add" means all overloads, "mul.Tensor" one. Unknown keys are ignored. Throws
  /// UsageError with one line, which names the key and a remedy.
  static Manifest parse(std::string_view json, Aliases aliases = Aliases::kApart);

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  /// Ops of the manifest that upcast does not have. They are never asked.
  const std::vector<std::string>& unknown_ops() const { return unknown_ops_; }

  /// The part of all calls that the implementation claims to answer.
  const Selection& claim() const { return claim_; }
  /// Whether the implementation takes tensors on this device.
  bool has(Device device) const {
    return (claim_.devices >> static_cast<unsigned>(device) & 1) != 0;
  }
  /// Whether the implementation answers the op of a case, in its overload and form.
  bool has(const Case& c) const { return claim_.has(c); }
  /// Why the implementation does not answer a case (Selection::why_not); "" if it does.
  std::string_view why_not(const Case& c) const { return claim_.why_not(c); }

 private:
  std::string name_;
  std::string version_;
  Selection claim_;
  std::vector<std::string> unknown_ops_;
};

}  // namespace upcast
