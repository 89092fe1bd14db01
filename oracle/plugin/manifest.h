// The manifest: an implementation's description of itself, with its name and what it answers.
// Plug-ins and processes have one (docs/schemas/manifest.schema.json).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cases/selection.h"

namespace upcast {

/// What an op's name in a manifest means. A plug-in is asked by the alias's own name, a process by
/// the op's, whatever alias the case has.
enum class Aliases {
  kApart,    // "mul" is mul.*, "multiply" is multiply.*
  kTogether  // "mul" is both, "multiply" is multiply.*
};

/// A manifest. It is parsed once, and asked for every case.
class Manifest {
 public:
  /// From JSON: {"name": "mine", "version": "1.2", "dtypes": ["float32"], "ops": ["add"],
  /// "forms": ["functional"], "devices": ["cpu"]}. What is left out, besides name and version, is
  /// not limited; without devices it is the CPU. "ops" may be an object of names and their forms;
  /// "add" is all overloads, "mul.Tensor" one. Unknown keys are ignored.
  /// Throws UsageError, one line with the key and a remedy.
  static Manifest parse(std::string_view json, Aliases aliases = Aliases::kApart);

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  /// Ops of the manifest that upcast does not have. They are never asked.
  const std::vector<std::string>& unknown_ops() const { return unknown_ops_; }

  /// The part of all calls that it claims to answer.
  const Selection& claim() const { return claim_; }
  /// Whether a call's tensors may lie on this device.
  bool has(Device device) const {
    return (claim_.devices >> static_cast<unsigned>(device) & 1) != 0;
  }
  /// Whether it has the op of a case, in its overload and form.
  bool has(const Case& c) const { return claim_.has(c); }
  /// Why it does not answer a case (Selection::why_not); "" if it does.
  std::string_view why_not(const Case& c) const { return claim_.why_not(c); }

 private:
  std::string name_;
  std::string version_;
  Selection claim_;
  std::vector<std::string> unknown_ops_;
};

}  // namespace upcast
