// Checks the folders of a campaign: only one campaign uses a folder at a time, and an engine can
// read all inputs.
#pragma once

#include <string>

#include "oracle/process/descriptor.h"

namespace upcast::tools {

/// Locks a folder for one campaign, until the descriptor is closed or the process ends. Throws
/// UsageError if another campaign has locked it.
Descriptor lock_folder(const std::string& folder);

/// Throws UsageError if a folder, or one within it, holds something that may hang or end an engine
/// which reads it: a link, which may lead anywhere, a FIFO, a device, a file that cannot be read,
/// or one larger than 1 MiB.
void check_inputs(const std::string& folder);

}  // namespace upcast::tools
