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
  /// Loads a plug-in. Throws UsageError with one line if the file is missing, is no library, or has
  /// no upcast_plugin. It also throws for another ABI, a broken manifest, refused settings, or a
  /// changed rounding mode of this thread, which it restores.
  explicit PluginLibrary(const Side& side);

  /// The plug-in's functions; those that its version of the ABI lacks are null.
  const UpcastPlugin& functions() const { return functions_; }
  const Manifest& manifest() const { return manifest_; }

 private:
  void configure(const Side& side) const;

  FloatMode mode_;  // the thread's mode before the plug-in was loaded
  UpcastPlugin functions_{};
  Manifest manifest_;
};

}  // namespace upcast
