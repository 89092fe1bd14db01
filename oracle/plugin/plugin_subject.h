// A plug-in as a Subject: plugin:FILE. It lives in a process that holds nothing else
// (tools/plugin_worker.cc); others ask it through a RemoteSubject.
#pragma once

#include "oracle/plugin/plugin_call.h"
#include "oracle/plugin/plugin_library.h"
#include "oracle/subject.h"

namespace upcast {

class PluginSubject : public Subject {
 public:
  /// "plugin:FILE?KEY=VALUE". Throws UsageError as PluginLibrary does.
  explicit PluginSubject(const Side& side);
  /// A case beyond the manifest is not judged. Memory that the plug-in wrote and that is not its
  /// own makes a broken answer, and so does a reply that cannot be believed.
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;
  const Manifest* manifest() const override { return &library_.manifest(); }
  /// Whether plugin:FILE?device=meta may be asked too.
  bool infers() const { return !is_meta_ && library_.functions().infer != nullptr; }
  /// Its manifest as JSON.
  std::string description() const { return library_.functions().describe(); }

 private:
  PluginLibrary library_;
  bool is_meta_;
  PluginCall call_;
};

}  // namespace upcast
