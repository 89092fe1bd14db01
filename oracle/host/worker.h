// The worker: a process that holds subject, oracle and judge, and runs blocks for a supervisor.
#pragma once

#include "oracle/host/run_block.h"

namespace upcast {

/// The main() of a worker, to be called after the worker's subjects are registered. A Supervisor
/// starts it with `--setup FD --journal FD`, and a socket as standard input and output. What
/// libraries print on standard output goes to standard error. The worker ends when the socket is
/// closed. With `--answers FD` it is the process of a RemoteSubject; with `--lines SUBJECT`, that
/// of a line server. Without `gaps`, witnesses are asked about all values.
int worker_main(int argc, char** argv, const Arbiter& arbiter = nullptr, Gaps gaps = nullptr);

}  // namespace upcast
