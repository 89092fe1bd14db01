// The folders of a campaign: one campaign at a time, and inputs that an engine can read.
#pragma once

#include <string>

#include "oracle/process/descriptor.h"

namespace upcast::tools {

/// Holds a folder until the descriptor is closed, by whatever end of the process. Throws UsageError
/// where another campaign holds it.
Descriptor lock_folder(const std::string& folder);

/// Throws UsageError for what an engine may not come back from: a link, which may lead anywhere, a
/// FIFO, a device, a file that cannot be read or of more than 1 MiB. Folders may lie in folders.
void check_inputs(const std::string& folder);

}  // namespace upcast::tools
