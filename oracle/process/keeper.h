// A process between a child and its parent, which ends what the child has started.
#pragma once

#include <sys/types.h>

namespace upcast {

/// Forks once more between a parent and its child. Call it in a fork of `parent` in which all
/// signals are blocked. It returns in the new process, which is the child proper. The calling
/// process becomes the keeper and never returns. The keeper holds no descriptor.
///
/// The keeper ends as the child ends, after all that the child has started is dead, in whatever
/// session or group. Another user's processes, which it may not kill, get a second to end because
/// their input is closed. SIGTERM and the end of `parent` kill the child and all that it started.
/// SIGINT is passed on to the child. Writes the child's number to `tell`. Calls only
/// async-signal-safe functions.
void stay_as_keeper(pid_t parent, int tell);

}  // namespace upcast
