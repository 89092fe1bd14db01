// A process between a child and its parent, which ends what the child has started.
#pragma once

#include <sys/types.h>

namespace upcast {

/// Forks, in a fork of `parent` in which all signals are blocked, and returns in the new process,
/// the child proper. This one stays: it holds no descriptor, and ends as the child ends, once
/// nothing that the child has started is alive, in whatever session or group; another user's
/// processes, which it may not kill, have a second to end of their closed input. SIGTERM and the
/// end of `parent` kill the child and all that; SIGINT is passed on. Writes the number of the child
/// to `tell`. Calls nothing that is not async-signal-safe.
void stay_as_keeper(pid_t parent, int tell);

}  // namespace upcast
