// A plug-in as a Subject: plugin:FILE. It lives in a process that holds nothing else
// (tools/plugin_worker.cc); others ask it through a RemoteSubject.
#pragma once

#include "oracle/plugin/plugin_call.h"
#include "oracle/plugin/plugin_library.h"
#include "oracle/subject.h"

namespace upcast {

class PluginSubject : public Subject {
 public:
  /// Makes the subject "plugin:FILE?KEY=VALUE". Throws UsageError as PluginLibrary does.
  explicit PluginSubject(const Side& side);
  /// Answers a case. A case outside the manifest is not judged. An answer is broken if the plug-in
  /// wrote to memory that is not its own, or if its reply cannot be believed.
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;
  std::vector<std::string> programs() const override;
  const Manifest* manifest() const override { return &library_.manifest(); }
  /// Whether the plug-in has infer(), so that plugin:FILE?device=meta is a side too.
  bool infers() const { return !is_meta_ && library_.functions().infer != nullptr; }
  /// The plug-in's manifest as JSON.
  std::string description() const { return library_.functions().describe(); }

 private:
  PluginLibrary library_;
  bool is_meta_;
  PluginCall call_;
};

}  // namespace upcast
