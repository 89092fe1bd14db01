// A plug-in's shared library, loaded and checked.
#pragma once

#include <string>

#include "oracle/plugin/float_mode.h"
#include "oracle/plugin/manifest.h"
#include "oracle/plugin/plugin.h"
#include "oracle/side.h"

namespace upcast {

/// The settings of plugin:FILE?KEY=VALUE&... as JSON, for configure(). `device=meta` is not among
/// them: it is the host's own, and asks infer().
std::string plugin_settings(const Side& side);

/// A loaded plug-in. It is never unloaded, because threads that the plug-in or its libraries
/// started may still run.
class PluginLibrary {
 public:
  /// Throws UsageError, one line that says what is wrong with the file: it is missing, no library,
  /// has no upcast_plugin, another ABI, a broken manifest, refuses its settings, or changes how
  /// this thread rounds, which is put back.
  explicit PluginLibrary(const Side& side);

  /// The plug-in's functions; those that its version of the ABI lacks are null.
  const UpcastPlugin& functions() const { return functions_; }
  const Manifest& manifest() const { return manifest_; }

 private:
  void configure(const Side& side) const;

  FloatMode mode_;  // of before it was loaded
  UpcastPlugin functions_{};
  Manifest manifest_;
};

}  // namespace upcast
