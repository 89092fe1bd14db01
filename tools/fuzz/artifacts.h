// Inputs that ended an engine, as libFuzzer leaves them in a campaign's log.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace upcast::tools {

/// The files of a log that are such inputs: crash-*, oom-*, timeout-*; not slow ones, which end
/// nothing.
std::set<std::string> artifacts_in(const std::string& log);

/// Removes an input from folders of inputs, whatever its name there: an engine that reads it would
/// die again.
void remove_input(const std::string& artifact, const std::vector<std::string>& folders);

}  // namespace upcast::tools
