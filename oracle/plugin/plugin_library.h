// A plug-in's shared library, loaded and checked.
#pragma once

#include <string>

#include "oracle/plugin/manifest.h"
#include "oracle/plugin/plugin.h"

namespace upcast {

/// What "plugin:FILE?KEY=VALUE&..." names. `device=meta` is the host's own: it asks infer().
struct PluginName {
  std::string file;
  std::string settings = "{}";  // JSON, for configure()
  bool is_meta = false;
};
/// Throws UsageError where it is no such name.
PluginName parse_plugin_name(std::string_view name);

/// Never unloaded: its threads and its library's may live on.
class PluginLibrary {
 public:
  /// Throws UsageError, one line that says what is wrong with the file: it is missing, no library,
  /// has no upcast_plugin, another ABI, a broken manifest, or refuses its settings.
  explicit PluginLibrary(const PluginName& name);

  /// As this host knows it: functions that the plug-in's version does not have are null.
  const UpcastPlugin& functions() const { return functions_; }
  const Manifest& manifest() const { return manifest_; }

 private:
  UpcastPlugin functions_{};
  Manifest manifest_;
};

}  // namespace upcast
