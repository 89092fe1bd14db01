// Finds the inputs that ended an engine, which libFuzzer writes into a campaign's log, and removes
// them from corpora.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace upcast::tools {

/// The files of a log that hold inputs which ended an engine: crash-*, oom-* and timeout-*. Not
/// slow-unit-*, because a slow input ends no engine.
std::set<std::string> artifacts_in(const std::string& log);

/// Removes an input that ended an engine from folders of inputs, whatever its name is there. An
/// engine that read it would die again.
void remove_input(const std::string& artifact, const std::vector<std::string>& folders);

}  // namespace upcast::tools
