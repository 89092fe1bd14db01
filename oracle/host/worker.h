// The worker: a process that holds subject, oracle and judge, and runs blocks for a supervisor.
#pragma once

#include "oracle/host/run_block.h"

namespace upcast {

/// The main() of a worker, after it has registered its subjects. Started by a Supervisor with
/// `--setup FD --journal FD` and a socket as standard input and output; whatever libraries print on
/// standard output goes to standard error instead. Ends when the socket does. With `--answers FD`
/// it is the process of a RemoteSubject, with `--lines SUBJECT` that of a line server. Without
/// `gaps` witnesses are asked about all values.
int worker_main(int argc, char** argv, Arbiter arbiter = nullptr, Gaps gaps = nullptr);

}  // namespace upcast
